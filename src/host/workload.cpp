#include "host/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "base/text_file.hpp"
#include "data/synthetic.hpp"
#include "gate/limits.hpp"
#include "model/json.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::host {
namespace {

constexpr std::size_t graph_max_bytes = 1U << 20U;
constexpr std::int64_t ring_max_bytes = 256LL << 20U;
constexpr std::int64_t ring_least_slots = 8;
constexpr std::int64_t ring_default_slots = 64;
// The gate needs k + 1 full batches, k at most 10.
constexpr std::int64_t gate_batches = 12;
// Torch7's tutorials train on 2000 samples unless told otherwise.
constexpr std::int64_t distant_batch_sample = 2000;

void require_fit(const Workload& workload) {
  const data::SampleSet& set = workload.dataset->train;
  if (workload.graph.input_shape != set.shape) {
    throw base::UserError(fmt::format("model {} takes samples of shape {}, data set {} has {}",
                                      workload.graph.name, model::to_text(workload.graph.input_shape),
                                      workload.dataset->name, model::to_text(set.shape)));
  }
  if (workload.graph.vocabulary != workload.dataset->vocabulary) {
    throw base::UserError(fmt::format("model {} has a vocabulary of {}, data set {} of {} (0: none)",
                                      workload.graph.name, workload.graph.vocabulary, workload.dataset->name,
                                      workload.dataset->vocabulary));
  }
  if (workload.graph.targets_per_sample != set.labels_per_sample) {
    throw base::UserError(fmt::format("model {} wants {} labels for each sample, data set {} has {}",
                                      workload.graph.name, workload.graph.targets_per_sample,
                                      workload.dataset->name, set.labels_per_sample));
  }
  if (workload.graph.class_count != workload.dataset->class_count) {
    throw base::UserError(fmt::format("model {} has {} classes, data set {} has {}", workload.graph.name,
                                      workload.graph.class_count, workload.dataset->name,
                                      workload.dataset->class_count));
  }
  if (workload.full_batches() < gate_batches) {
    throw base::UserError(
        fmt::format("batch {} leaves only {} full batches of the {} training samples; {} are needed",
                    workload.recipe.batch, workload.full_batches(), set.count, gate_batches),
        "recipe.batch", "use a smaller batch");
  }
}

std::vector<std::uint32_t> order_of_epoch(const Workload& workload, std::uint32_t epoch) {
  return data::epoch_order(workload.seed, epoch, static_cast<std::uint32_t>(workload.dataset->train.count));
}

model::Batch batch_at(const Workload& workload, const std::vector<std::uint32_t>& order, std::int64_t index) {
  const data::SampleSet& set = workload.dataset->train;
  const std::int64_t begin = index * workload.recipe.batch;
  const std::int64_t rows = std::min(workload.recipe.batch, set.count - begin);
  DLBENCH_ASSERT(begin >= 0 && rows > 0, "batch index outside the epoch");
  model::Batch batch;
  batch.input.shape = set.shape;
  batch.input.shape.insert(batch.input.shape.begin(), rows);
  const auto elements = static_cast<std::size_t>(rows * set.sample_elements());
  batch.input.values.resize(elements);
  batch.target.resize(static_cast<std::size_t>(rows * set.labels_per_sample));
  if (model::input_kind(workload.graph) == model::InputKind::tokens) {
    std::vector<std::int64_t> tokens(elements);
    data::fill_tokens(set, order.data() + begin, rows, tokens.data(), batch.target.data());
    std::ranges::transform(tokens, batch.input.values.begin(),
                           [](std::int64_t token) { return static_cast<float>(token); });
  } else {
    data::fill_pictures(set, order.data() + begin, rows, batch.input.values.data(), batch.target.data());
  }
  return batch;
}

// Inference wants classes of so many samples.
std::int64_t batches_for_gate(const Workload& workload) {
  if (workload.task == record::Task::training) {
    return gate_batches;
  }
  const std::int64_t rows = workload.recipe.batch;
  const std::int64_t wanted = (gate::least_inference_samples + rows - 1) / rows;
  return std::min(std::max(gate_batches, wanted), workload.full_batches());
}

// Bytes of one element of the input in the arena.
std::size_t input_element_bytes(model::InputKind kind) {
  return kind == model::InputKind::tokens ? sizeof(std::int64_t) : sizeof(float);
}

}  // namespace

std::int64_t Workload::batch_input_bytes() const {
  return recipe.batch * dataset->train.sample_elements() *
         static_cast<std::int64_t>(input_element_bytes(model::input_kind(graph)));
}

model::Graph read_model(const std::string& model) {
  if (const zoo::Entry* entry = zoo::find(model)) {
    return entry->build();
  }
  if (model.ends_with(".json")) {
    const std::string text = base::read_text_file(model, graph_max_bytes);
    try {
      return model::graph_from_json(text);
    } catch (const base::UserError& error) {
      throw base::UserError(error.what(), model, error.hint());
    }
  }
  std::vector<std::string> names;
  for (const zoo::Entry& entry : zoo::entries()) {
    names.push_back(entry.name);
  }
  throw base::UserError(fmt::format("unknown model '{}'", model), {}, base::nearest_hint(model, names));
}

std::shared_ptr<const data::Dataset> load_data(const std::string& name, const std::string& folder,
                                               const model::Graph& graph) {
  if (name != data::synthetic_name) {
    return std::make_shared<const data::Dataset>(data::load_dataset(name, folder));
  }
  if (model::input_kind(graph) == model::InputKind::tokens && graph.input_shape.size() == 1) {
    const data::Sequences sequences = {graph.input_shape[0], graph.vocabulary, graph.targets_per_sample > 1};
    return std::make_shared<const data::Dataset>(data::make_synthetic(sequences, graph.class_count));
  }
  if (graph.input_shape.size() != 3) {
    throw base::UserError(fmt::format("data set '{}' has pictures, model {} takes samples of shape {}", name,
                                      graph.name, model::to_text(graph.input_shape)));
  }
  return std::make_shared<const data::Dataset>(data::make_synthetic(
      data::Picture{graph.input_shape[0], graph.input_shape[1], graph.input_shape[2]}, graph.class_count));
}

Workload make_workload(const std::string& model, std::shared_ptr<const data::Dataset> dataset,
                       const model::Recipe& recipe, std::uint64_t seed, record::Task task) {
  Workload workload;
  workload.task = task;
  workload.graph = read_model(model);
  workload.graph_json = model::to_json(workload.graph);
  workload.recipe = recipe;
  workload.recipe_json = model::to_json(recipe);
  workload.weights = model::initial_weights(workload.graph, recipe.initialiser);
  workload.dataset = std::move(dataset);
  workload.seed = seed;
  require_fit(workload);
  return workload;
}

model::Batch training_batch(const Workload& workload, std::uint32_t epoch, std::int64_t index) {
  return batch_at(workload, order_of_epoch(workload, epoch), index);
}

gate::Work gate_work(const Workload& workload) {
  gate::Work work;
  work.task = workload.task;
  work.graph = workload.graph;
  work.recipe = workload.recipe;
  work.seed = workload.seed;
  const std::vector<std::uint32_t> order = order_of_epoch(workload, 0);
  const std::int64_t batches = batches_for_gate(workload);
  for (std::int64_t i = 0; i < batches; ++i) {
    work.batches.push_back(batch_at(workload, order, i));
  }
  // One batch beyond the samples that earlier systems silently limited themselves to, and the last one.
  for (const std::int64_t position :
       {distant_batch_sample / workload.recipe.batch + 1, workload.full_batches() - 1}) {
    if (position >= batches && position < workload.full_batches()) {
      work.distant.push_back({position, batch_at(workload, order, position)});
    }
  }
  if (workload.partial_rows() > 0) {
    work.partial = batch_at(workload, order, workload.full_batches());
  }
  return work;
}

std::uint32_t ring_slots(const Workload& workload, std::uint64_t last_level_cache_bytes) {
  const std::int64_t batch_bytes = workload.batch_input_bytes();
  const auto cache_bytes = static_cast<std::int64_t>(last_level_cache_bytes);
  std::int64_t slots = std::max(ring_default_slots, 2 * cache_bytes / batch_bytes + 1);
  slots = std::min(slots, std::max(ring_least_slots, ring_max_bytes / batch_bytes));
  slots = std::min({slots, workload.full_batches(), static_cast<std::int64_t>(DLB_MAX_SLOTS)});
  return static_cast<std::uint32_t>(slots);
}

protocol::ArenaPlan arena_plan(const model::Graph& graph, std::int64_t batch, std::uint32_t slots,
                               std::uint64_t step_capacity) {
  protocol::ArenaPlan plan;
  for (const model::Parameter& parameter : model::parameters(graph)) {
    plan.parameters.push_back({parameter.name, parameter.shape});
  }
  const auto rows = static_cast<std::uint64_t>(batch);
  plan.slots = slots;
  plan.input_bytes = rows * static_cast<std::uint64_t>(model::element_count(graph.input_shape)) *
                     input_element_bytes(model::input_kind(graph));
  plan.target_bytes = rows * static_cast<std::uint64_t>(graph.targets_per_sample) * sizeof(std::int64_t);
  plan.output_bytes =
      rows * static_cast<std::uint64_t>(model::element_count(model::logits_shape(graph))) * sizeof(float);
  plan.step_capacity = step_capacity;
  return plan;
}

session::LoadRequest load_request(const Workload& workload, int threads) {
  session::LoadRequest request;
  request.graph_json = workload.graph_json;
  request.recipe_json = workload.recipe_json;
  request.mode = workload.task == record::Task::training ? "train" : "infer";
  request.threads = threads;
  request.batch = workload.recipe.batch;
  request.partial = workload.partial_rows();
  return request;
}

void put_batch(protocol::Arena& arena, std::uint32_t k, const model::Batch& batch, model::InputKind kind) {
  const protocol::Slot slot = arena.slot(k);
  const std::vector<float>& values = batch.input.values;
  const std::size_t input_bytes = values.size() * input_element_bytes(kind);
  const std::size_t target_bytes = batch.target.size() * sizeof(std::int64_t);
  DLBENCH_ASSERT(input_bytes <= slot.input.size() && target_bytes <= slot.target.size(),
                 "batch larger than its slot");
  if (kind == model::InputKind::tokens) {
    std::ranges::transform(values, reinterpret_cast<std::int64_t*>(slot.input.data()),
                           [](float token) { return static_cast<std::int64_t>(token); });
  } else {
    std::memcpy(slot.input.data(), values.data(), input_bytes);
  }
  std::memcpy(slot.target.data(), batch.target.data(), target_bytes);
  arena.set_rows(k, static_cast<std::uint64_t>(batch.input.shape.at(0)), input_bytes, target_bytes);
}

void put_samples(protocol::Arena& arena, std::uint32_t k, const data::SampleSet& set,
                 const std::uint32_t* indices, std::int64_t rows) {
  const protocol::Slot slot = arena.slot(k);
  const bool tokens = !set.tokens.empty();
  const auto kind = tokens ? model::InputKind::tokens : model::InputKind::real;
  const auto input_bytes = static_cast<std::size_t>(rows * set.sample_elements()) * input_element_bytes(kind);
  const auto target_bytes = static_cast<std::size_t>(rows * set.labels_per_sample) * sizeof(std::int64_t);
  DLBENCH_ASSERT(input_bytes <= slot.input.size() && target_bytes <= slot.target.size(),
                 "batch larger than its slot");
  auto* const target = reinterpret_cast<std::int64_t*>(slot.target.data());
  if (tokens) {
    data::fill_tokens(set, indices, rows, reinterpret_cast<std::int64_t*>(slot.input.data()), target);
  } else {
    data::fill_pictures(set, indices, rows, reinterpret_cast<float*>(slot.input.data()), target);
  }
  arena.set_rows(k, static_cast<std::uint64_t>(rows), input_bytes, target_bytes);
}

void put_weights(protocol::Arena& arena, const model::Weights& weights) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::span<float> in = arena.parameter_in(i);
    DLBENCH_ASSERT(in.size() == weights[i].values.size(), "parameter size differs from the arena's");
    std::copy(weights[i].values.begin(), weights[i].values.end(), in.begin());
  }
}

}  // namespace dlbench::host
