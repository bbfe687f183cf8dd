// The gate: which experiments a case needs, what the right results and limits are, and the verdict. Pure:
// tensors in, verdict out; it starts nothing and reads no file. See docs/gate.md.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gate/experiment.hpp"
#include "gate/fault.hpp"
#include "record/certificate.hpp"
#include "record/task.hpp"

namespace dlbench::gate {

// A full batch that lies further on in the epoch's order: its first sample is the `position`-th (from 0).
struct DistantBatch {
  std::int64_t position = 0;
  model::Batch batch;
};

// The case to be proved. Samples are real, normalised, in data order: ten full batches are enough for any k;
// inference wants least_inference_samples.
struct Work {
  record::Task task = record::Task::training;
  model::Graph graph;
  model::Recipe recipe;
  std::vector<model::Batch> batches;    // full batches as they will be timed
  std::optional<model::Batch> partial;  // the last partial batch of an epoch, if there is one
  std::vector<DistantBatch> distant;    // for "data.order"; none: a subset of the data cannot be told apart
  std::uint64_t seed = 1;
};

// One experiment with the right result and how far a correct fp32 framework may be from it.
struct Expectation {
  Experiment experiment;
  Result truth;  // fp64
  // Scaled error per judged tensor (logits: one; else per parameter); infinite: another experiment judges it.
  std::vector<double> tensor_limits;
  std::vector<double> tensor_scales;  // one round-off of the terms of each judged tensor
  std::vector<double> loss_limits;    // relative, per step
};

// Everything about a work that does not depend on the framework; cached by the host under `key`.
struct Plan {
  std::string key;                        // hash of (graph, recipe, batches, seed, oracle version)
  std::vector<Expectation> expectations;  // in the order to run them
  std::int64_t certified_steps = 0;       // k
  std::vector<record::FaultEffect> faults;
  std::string unverified_reason;   // not empty: k < 3 or another reason why no PASS is possible
  std::vector<std::string> notes;  // for the certificate: what was not looked at and why
  // Relu and pool margins of the verification batch that rounding could cross; the best candidate's count.
  std::int64_t verification_margins = 0;
};

[[nodiscard]] std::string plan_key(const Work& work);
// Costs seconds to minutes of oracle time (`expected_seconds`), on up to eight threads. Asserts that there is
// a batch.
[[nodiscard]] Plan make_plan(const Work& work);
// A rough estimate from the number of multiply-adds, for people who wait.
[[nodiscard]] double expected_seconds(const Work& work);

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
// The known fault that gives exactly this structure: "<id>: <sentence>", else "unknown".
[[nodiscard]] std::string diagnose_structure(const model::Graph& graph, const Structure& seen);

// Compares one expectation with one result of the runner: the worst tensor, and the worst loss if there are
// any. Not-a-number, infinity and a wrong shape are an infinite error.
[[nodiscard]] std::vector<record::Check> compare(const Expectation& expectation, const Result& seen);

// The verdict. `results[i]` has one Result per repeat of expectations[i]. `deviations` are those that the
// runner declared: the truth is recomputed with them; coarse_rounding alone widens limits, and then a fault
// must show by as much more. Fills verdict, reason, diagnosis, checks, faults, notes, certified_steps; the
// caller adds key, framework and date. Costs oracle time only when something differs (deviations, diagnosis).
[[nodiscard]] record::Certificate judge(const Plan& plan, const std::vector<std::vector<Result>>& results,
                                        const std::vector<std::string>& deviations);

// "3.2e+04 limits" or "not provable here": how a certificate shows one simulated fault to people.
[[nodiscard]] std::string to_text(const record::FaultEffect& effect);

// Re-check after a timed run: the plan's "timed.steps" or "timed.logits" expectation against what the timed
// object just did. nullptr: the timed batch is too big for the oracle, or rounding alone decides its steps.
[[nodiscard]] const Expectation* timed_expectation(const Plan& plan);

}  // namespace dlbench::gate
