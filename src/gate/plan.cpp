#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "gate/budget.hpp"
#include "gate/envelope.hpp"
#include "gate/experiments.hpp"
#include "gate/fault_effects.hpp"
#include "gate/gate.hpp"
#include "gate/has_op.hpp"
#include "gate/inference_plan.hpp"
#include "gate/limits.hpp"
#include "gate/masks.hpp"
#include "gate/trajectories.hpp"
#include "gate/verification_batch.hpp"
#include "model/json.hpp"

namespace dlbench::gate {
namespace {

// Changes whenever an experiment or a limit could change.
constexpr int plan_version = 14;
constexpr int replay_repeats = 3;
constexpr std::uint64_t partial_stream = 5000;  // sub-streams of stream `verification`
constexpr std::uint64_t ties_stream = 6000;

void append_batch(std::string& text, const model::Batch& batch) {
  text += model::to_text(batch.input.shape);
  text += base::hash_hex(batch.input.values.data(), batch.input.values.size() * sizeof(float));
  text += base::hash_hex(batch.target.data(), batch.target.size() * sizeof(std::int64_t));
}

void judge_only(Expectation& expectation, const std::vector<bool>& judged) {
  for (std::size_t i = 0; i < judged.size(); ++i) {
    if (!judged[i]) {
      expectation.tensor_limits[i] = std::numeric_limits<double>::infinity();
    }
  }
}

Work muted(Work work) {
  work.graph = without_dropout(std::move(work.graph));
  return work;
}

class Planner {
 public:
  explicit Planner(const Work& work)
      : work_(work),
        training_(muted(work)),
        budget_(budget_of(work)),
        material_(gather_material(training_, budget_.rows)) {}

  Plan make() {
    plan_.key = plan_key(work_);
    plan_.verification_margins = material_.margins;
    add(logits_experiment(work_, material_));
    if (!work_.distant.empty()) {
      add(order_experiment(work_, material_));
    }
    add_gradients({"function.gradient", material_.rows}, {material_.batch, material_.margins},
                  full_evaluation());
    if (has_op(work_.graph, "max_pool")) {
      const VerificationBatch tied = choose_batch(training_.graph, material_.weights, material_.raw,
                                                  {work_.seed, ties_stream, ties_candidates, true});
      add_gradients({"ties", material_.rows}, tied, full_evaluation());
    }
    if (work_.partial) {
      const VerificationBatch chosen = choose_batch(training_.graph, material_.weights, *work_.partial,
                                                    {work_.seed, partial_stream, step_candidates});
      // Loaded as the partial shape of the timed batch.
      add_gradients({"partial.gradient", work_.recipe.batch}, chosen, {reduced_evaluations, reduced_factor});
    }
    add_steps();
    add_dropout();
    for (const Expectation& expectation : plan_.expectations) {
      if (auto note = wide_limits_note(expectation)) {
        plan_.notes.push_back(*std::move(note));
      }
    }
    plan_.faults = simulate_faults(plan_);
    return std::move(plan_);
  }

 private:
  void add(Experiment experiment) {
    plan_.expectations.push_back(expect_within(std::move(experiment), budget_.evaluations, budget_.factor));
  }

  struct Evaluations {
    int count;
    double factor;
  };
  [[nodiscard]] Evaluations full_evaluation() const { return {budget_.evaluations, budget_.factor}; }

  struct Gradients {
    std::string id;
    std::int64_t load_rows;  // the batch size that the runner is loaded for
  };

  void add_gradients(const Gradients& gradients, const VerificationBatch& chosen,
                     const Evaluations& evaluations) {
    const Norm norm = chosen.margins > 0 ? Norm::euclidean : Norm::largest;
    for (GradientExperiment& gradient :
         gradient_experiments(gradients.id, training_, material_, chosen.batch, norm)) {
      gradient.experiment.recipe.batch = gradients.load_rows;
      Expectation expectation =
          expect_within(std::move(gradient.experiment), evaluations.count, evaluations.factor);
      judge_only(expectation, gradient.judged);
      plan_.expectations.push_back(std::move(expectation));
    }
  }

  void add_steps() {
    Trajectories trajectories = plan_trajectories(training_, material_, budget_);
    plan_.certified_steps = trajectories.steps;
    std::ranges::move(trajectories.expectations, std::back_inserter(plan_.expectations));
    std::ranges::move(trajectories.notes, std::back_inserter(plan_.notes));
    if (plan_.certified_steps == 0) {
      plan_.unverified_reason =
          std::ssize(work_.batches) < fewest_steps
              ? fmt::format("steps: {} batches, at least {} are needed", work_.batches.size(), fewest_steps)
              : fmt::format("steps: single precision parts from itself within {} steps", fewest_steps);
    }
  }

  // What it draws at each of its rates, and that a step computes with that.
  void add_dropout() {
    for (const double rate : dropout_rates(work_.graph)) {
      Expectation masks;
      masks.experiment = masks_experiment(rate, work_.recipe);
      masks.tensor_limits.assign(masks.experiment.weights.size(), std::numeric_limits<double>::infinity());
      masks.tensor_scales.assign(masks.experiment.weights.size(), 0.0);
      plan_.expectations.push_back(std::move(masks));
      add_replay(replay_work(rate, work_.recipe), fmt::format("dropout.replay {}", rate));
    }
    if (!dropout_rates(work_.graph).empty()) {
      plan_.notes.emplace_back("trained at dropout rate 0 except where the masks themselves are proved");
    }
  }

  void add_replay(const Work& work, const std::string& id) {
    const Material material = gather_material(work, 1);
    for (GradientExperiment& gradient : gradient_experiments(id, work, material, material.batch)) {
      gradient.experiment.quantity = Quantity::replay;
      gradient.experiment.repeats = replay_repeats;
      Expectation expectation = expect_within(std::move(gradient.experiment), full_evaluations, full_factor);
      judge_only(expectation, gradient.judged);
      plan_.expectations.push_back(std::move(expectation));
    }
  }

  const Work& work_;
  Work training_;  // without dropout
  Budget budget_;
  Material material_;
  Plan plan_;
};

}  // namespace

std::string plan_key(const Work& work) {
  std::string text = fmt::format("plan {} oracle {} seed {}\n{}\n{}\n", plan_version, oracle::oracle_version,
                                 work.seed, model::to_json(work.graph), model::to_json(work.recipe));
  if (work.task != record::Task::training) {
    text += record::to_text(work.task);
  }
  for (const model::Batch& batch : work.batches) {
    append_batch(text, batch);
  }
  if (work.partial) {
    text += "partial";
    append_batch(text, *work.partial);
  }
  for (const DistantBatch& distant : work.distant) {
    text += fmt::format("at {}", distant.position);
    append_batch(text, distant.batch);
  }
  return base::hash_hex(text);
}

Plan make_plan(const Work& work) {
  return work.task == record::Task::inference ? make_inference_plan(work) : Planner(work).make();
}

const Expectation* timed_expectation(const Plan& plan) {
  const auto found =
      std::ranges::find_if(plan.expectations, [](const Expectation& e) { return e.experiment.is_timed; });
  return found == plan.expectations.end() ? nullptr : &*found;
}

}  // namespace dlbench::gate
