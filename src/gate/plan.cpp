#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
#include "gate/limits.hpp"
#include "gate/undetermined.hpp"
#include "gate/verification_batch.hpp"
#include "model/json.hpp"

namespace dlbench::gate {
namespace {

// Changes whenever an experiment or a limit could change.
constexpr int plan_version = 4;
constexpr std::uint64_t partial_stream = 5000;  // sub-streams of stream `verification`

void append_batch(std::string& text, const model::Batch& batch) {
  text += model::to_text(batch.input.shape);
  text += base::hash_hex(batch.input.values.data(), batch.input.values.size() * sizeof(float));
  text += base::hash_hex(batch.target.data(), batch.target.size() * sizeof(std::int64_t));
}

class Planner {
 public:
  explicit Planner(const Work& work)
      : work_(work), budget_(budget_of(work)), material_(gather_material(work, budget_.rows)) {}

  Plan make() {
    plan_.key = plan_key(work_);
    plan_.verification_margins = material_.margins;
    add(logits_experiment(work_, material_));
    if (!work_.distant.empty()) {
      add(order_experiment(work_, material_));
    }
    add_gradients("function.gradient", material_.batch, material_.rows, full_evaluation());
    if (has_max_pool(work_.graph)) {
      add_gradients("ties", material_.raw, material_.rows, full_evaluation());
    }
    if (work_.partial) {
      const VerificationBatch chosen = choose_batch(work_.graph, material_.weights, *work_.partial,
                                                    {work_.seed, partial_stream, step_candidates});
      // Loaded as the partial shape of the timed batch.
      add_gradients("partial.gradient", chosen.batch, work_.recipe.batch,
                    {reduced_evaluations, reduced_factor});
    }
    add_steps();
    plan_.faults = simulate_faults(plan_);
    return std::move(plan_);
  }

 private:
  void add(Experiment experiment) {
    Expectation expectation = expect(std::move(experiment));
    set_limits(expectation, measure_envelope(expectation, budget_.evaluations), budget_.factor);
    plan_.expectations.push_back(std::move(expectation));
  }

  struct Evaluations {
    int count;
    double factor;
  };
  [[nodiscard]] Evaluations full_evaluation() const { return {budget_.evaluations, budget_.factor}; }

  // `load_rows`: the batch size that the runner is loaded for.
  void add_gradients(const std::string& id, const model::Batch& batch, std::int64_t load_rows,
                     const Evaluations& evaluations) {
    for (GradientExperiment& gradient : gradient_experiments(id, work_, material_, batch)) {
      gradient.experiment.recipe.batch = load_rows;
      Expectation expectation = expect(std::move(gradient.experiment));
      set_limits(expectation, measure_envelope(expectation, evaluations.count), evaluations.factor);
      for (std::size_t i = 0; i < gradient.judged.size(); ++i) {
        if (!gradient.judged[i]) {
          expectation.tensor_limits[i] = std::numeric_limits<double>::infinity();
        }
      }
      plan_.expectations.push_back(std::move(expectation));
    }
  }

  // The longest trajectories; shorter ones are their beginnings. Those of the recipe as it is come together:
  // one load serves them.
  [[nodiscard]] std::vector<Experiment> longest_steps(std::int64_t k) const {
    std::vector<Experiment> all = {constant_steps(work_, material_, k), changing_steps(work_, material_, k)};
    if (budget_.timed_batch) {
      all.push_back(timed_steps(work_, material_, k));
    }
    all.push_back(stress_steps(work_, material_, k));
    return all;
  }

  // The first k steps of each with their limits; nothing as soon as one limit says that rounding has taken
  // over.
  [[nodiscard]] std::vector<Expectation> expect_steps(const std::vector<Experiment>& longest,
                                                      std::int64_t k) const {
    std::vector<Expectation> all;
    for (const Experiment& experiment : longest) {
      Expectation expectation = expect(shortened(experiment, k));
      if (experiment.id == "timed.steps") {
        find_undetermined(expectation, budget_.evaluations, reduced_factor);
        set_timed_limits(expectation, all.front());
      } else {
        find_undetermined(expectation, budget_.evaluations, budget_.factor);
        set_limits(expectation, measure_envelope(expectation, budget_.evaluations), budget_.factor);
      }
      if (is_chaotic(expectation)) {
        return {};
      }
      all.push_back(std::move(expectation));
    }
    return all;
  }

  // The limits of the verification batches, the floor scaled with the number of terms in each mean; and the
  // timed batch's own envelope of a few evaluations, which holds the flips that no search has avoided there.
  void set_timed_limits(Expectation& expectation, const Expectation& constant) const {
    const double rows = static_cast<double>(expectation.experiment.batches.front().input.shape.at(0));
    set_limits(expectation, measure_envelope(expectation, reduced_evaluations), reduced_factor,
               std::sqrt(std::max(1.0, rows / static_cast<double>(budget_.rows))));
    const auto raise = [](std::vector<double>& limits, const std::vector<double>& least) {
      for (std::size_t i = 0; i < limits.size(); ++i) {
        limits[i] = std::max(limits[i], least[i]);
      }
    };
    raise(expectation.tensor_limits, constant.tensor_limits);
    raise(expectation.loss_limits, constant.loss_limits);
  }

  void add_steps() {
    const auto available = static_cast<std::int64_t>(work_.batches.size());
    const std::int64_t longest = std::min(available, most_steps);
    const std::vector<Experiment> experiments =
        longest >= fewest_steps ? longest_steps(longest) : std::vector<Experiment>{};
    for (std::int64_t k = longest; k >= fewest_steps; --k) {
      std::vector<Expectation> all = expect_steps(experiments, k);
      if (!all.empty()) {
        plan_.certified_steps = k;
        std::ranges::move(all, std::back_inserter(plan_.expectations));
        if (!budget_.timed_batch) {
          plan_.notes.emplace_back("timed batch not verified: too big for the oracle");
        }
        return;
      }
    }
    plan_.unverified_reason =
        available < fewest_steps
            ? fmt::format("steps: {} batches, at least {} are needed", available, fewest_steps)
            : fmt::format("steps: single precision parts from itself within {} steps", fewest_steps);
  }

  const Work& work_;
  Budget budget_;
  Material material_;
  Plan plan_;
};

}  // namespace

std::string plan_key(const Work& work) {
  std::string text = fmt::format("plan {} oracle {} seed {}\n{}\n{}\n", plan_version, oracle::oracle_version,
                                 work.seed, model::to_json(work.graph), model::to_json(work.recipe));
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
  return Planner(work).make();
}

const Expectation* timed_expectation(const Plan& plan) {
  const auto found = std::ranges::find_if(
      plan.expectations, [](const Expectation& e) { return e.experiment.id == "timed.steps"; });
  return found == plan.expectations.end() ? nullptr : &*found;
}

}  // namespace dlbench::gate
