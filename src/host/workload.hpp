// One piece of work made concrete: completed graph, recipe, data in memory, initial weights, batches in
// order.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/dataset.hpp"
#include "gate/gate.hpp"
#include "model/graph.hpp"
#include "model/recipe.hpp"
#include "protocol/arena.hpp"
#include "session/session.hpp"

namespace dlbench::host {

struct Workload {
  record::Task task = record::Task::training;
  model::Graph graph;
  std::string graph_json;
  model::Recipe recipe;
  std::string recipe_json;
  model::Weights weights;
  std::shared_ptr<const data::Dataset> dataset;
  std::uint64_t seed = 1;

  [[nodiscard]] std::int64_t full_batches() const { return dataset->train.count / recipe.batch; }
  [[nodiscard]] std::int64_t partial_rows() const { return dataset->train.count % recipe.batch; }
  [[nodiscard]] std::int64_t batch_input_bytes() const;
};

// By name from `folder` ("": where its package puts it); "synthetic" is made up in the shape of the graph's
// input.
[[nodiscard]] std::shared_ptr<const data::Dataset> load_data(const std::string& name,
                                                             const std::string& folder,
                                                             const model::Graph& graph);

// `model` is a zoo name or a graph file. Throws base::UserError when model and data do not fit each other.
[[nodiscard]] Workload make_workload(const std::string& model, std::shared_ptr<const data::Dataset> dataset,
                                     const model::Recipe& recipe, std::uint64_t seed,
                                     record::Task task = record::Task::training);
[[nodiscard]] model::Graph read_model(const std::string& model);

// Batch `index` of an epoch in its shuffled order; the last one may be partial.
[[nodiscard]] model::Batch training_batch(const Workload& workload, std::uint32_t epoch, std::int64_t index);

// What the gate proves: the first batches of epoch 0 as they will be timed, and the partial one.
[[nodiscard]] gate::Work gate_work(const Workload& workload);

// How many distinct batches a ring holds: at least 64, more than twice the last-level cache, at most 256 MiB
// (but never below 8) and one epoch.
[[nodiscard]] std::uint32_t ring_slots(const Workload& workload, std::uint64_t last_level_cache_bytes);

[[nodiscard]] protocol::ArenaPlan arena_plan(const model::Graph& graph, std::int64_t batch,
                                             std::uint32_t slots, std::uint64_t step_capacity);
// In the mode that the workload's task wants.
[[nodiscard]] session::LoadRequest load_request(const Workload& workload, int threads);

// Copies a batch into ring slot k.
void put_batch(protocol::Arena& arena, std::uint32_t k, const model::Batch& batch, model::InputKind kind);
// Fills slot k straight from the data set, without a copy in between.
void put_samples(protocol::Arena& arena, std::uint32_t k, const data::SampleSet& set,
                 const std::uint32_t* indices, std::int64_t rows);
// Copies weights into the arena's IN tensors.
void put_weights(protocol::Arena& arena, const model::Weights& weights);

}  // namespace dlbench::host
