// The gate: which experiments a case needs, what the right results and limits are, and the verdict. Pure: tensors in,
// verdict out; it starts nothing and reads no file. See docs/gate.md.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gate/experiment.hpp"
#include "gate/fault.hpp"
#include "record/certificate.hpp"

namespace dlbench::gate {

// The case to be proved. `samples` are real, normalised, in data order: at least k + 1 full batches and one partial.
struct Work {
  model::Graph graph;
  model::Recipe recipe;
  std::vector<model::Batch> batches;          // full batches as they will be timed
  std::optional<model::Batch> partial;        // the last partial batch of an epoch, if there is one
  std::uint64_t seed = 1;
};

// One experiment with the right result and how far a correct fp32 framework may be from it.
struct Expectation {
  Experiment experiment;
  Result truth;                       // fp64
  std::vector<double> tensor_limits;  // scaled error per judged tensor (logits: one; else per parameter)
  std::vector<double> tensor_scales;  // denominator floor s per judged tensor
  std::vector<double> loss_limits;    // relative, per step
};

// Everything about a work that does not depend on the framework; cached by the host under `key`.
struct Plan {
  std::string key;                        // hash of (graph, recipe, batches, seed, oracle version)
  std::vector<Expectation> expectations;  // in the order to run them
  std::int64_t certified_steps = 0;       // k
  std::vector<record::FaultEffect> faults;
  std::string unverified_reason;          // not empty: k < 3 or another reason why no PASS is possible
};

[[nodiscard]] std::string plan_key(const Work& work);
// Costs seconds to minutes of oracle time.
[[nodiscard]] Plan make_plan(const Work& work);

// Binary serialisation for the cache; read throws base::UserError on damage.
[[nodiscard]] std::string serialise(const Plan& plan);
[[nodiscard]] Plan deserialise(std::string_view bytes);

// What the host saw of the runner's structure in the reply to `load`.
struct Structure {
  std::vector<std::pair<std::string, model::Shape>> parameters;
  model::Shape logits;  // without the batch extent
};
// nullopt: equal; else the first difference.
[[nodiscard]] std::optional<std::string> compare_structure(const model::Graph& graph, const Structure& seen);

// Compares one expectation with one result of the runner.
[[nodiscard]] std::vector<record::Check> compare(const Expectation& expectation, const Result& seen);

// The verdict. `results[i]` has one Result per repeat of expectations[i]. `deviations` are those that the runner
// declared: the truth is recomputed with them and they never loosen a limit. Fills verdict, reason, diagnosis, checks,
// faults, notes, certified_steps; the caller adds key, framework and date.
[[nodiscard]] record::Certificate judge(const Plan& plan, const std::vector<std::vector<Result>>& results,
                                        const std::vector<std::string>& deviations);

// Re-check after a timed run: the plan's "timed.steps" expectation against what the timed object just did.
[[nodiscard]] const Expectation* timed_expectation(const Plan& plan);

}  // namespace dlbench::gate
