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
#include "gate/verification_batch.hpp"
#include "model/json.hpp"

namespace dlbench::gate {
namespace {

// Changes whenever an experiment or a limit could change.
constexpr int plan_version = 1;
constexpr std::uint64_t partial_noise = 3000;  // sub-stream of stream `verification`

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
    add_gradients("function.gradient", material_.batches.front(), budget_.evaluations, budget_.factor);
    if (has_max_pool(work_.graph)) {
      add_gradients("ties", material_.raw, budget_.evaluations, budget_.factor);
    }
    add_data();
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

  void add_gradients(const std::string& id, const model::Batch& batch, int evaluations, double factor) {
    for (GradientExperiment& gradient : gradient_experiments(id, work_, material_, batch)) {
      Expectation expectation = expect(std::move(gradient.experiment));
      set_limits(expectation, measure_envelope(expectation, evaluations), factor);
      for (std::size_t i = 0; i < gradient.judged.size(); ++i) {
        if (!gradient.judged[i]) {
          expectation.tensor_limits[i] = std::numeric_limits<double>::infinity();
        }
      }
      plan_.expectations.push_back(std::move(expectation));
    }
  }

  void add_data() {
    if (!work_.distant.empty()) {
      add(order_experiment(work_, material_));
    }
    if (work_.partial) {
      add_gradients("partial.gradient", with_noise(*work_.partial, work_.seed, partial_noise),
                    reduced_evaluations, reduced_factor);
    }
  }

  // k steps of each kind with their limits; nothing as soon as one limit says that rounding has taken over.
  std::vector<Expectation> steps(std::int64_t k) {
    std::vector<Expectation> all;
    for (Experiment (*build)(const Work&, const Material&, std::int64_t) :
         {constant_steps, changing_steps, stress_steps}) {
      Expectation expectation = expect(build(work_, material_, k));
      set_limits(expectation, measure_envelope(expectation, budget_.evaluations), budget_.factor);
      if (largest_limit(expectation) >= chaos_limit) {
        return {};
      }
      all.push_back(std::move(expectation));
    }
    if (budget_.timed_batch) {
      all.push_back(timed(k, all.front()));
      if (largest_limit(all.back()) >= chaos_limit) {
        return {};
      }
    }
    return all;
  }

  // The limits of the verification batches, the floor scaled with the number of terms in each mean; and the
  // timed batch's own envelope of a few evaluations, which holds the flips that no search has avoided there.
  Expectation timed(std::int64_t k, const Expectation& constant) {
    Expectation expectation = expect(timed_steps(work_, material_, k));
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
    return expectation;
  }

  void add_steps() {
    const auto available = static_cast<std::int64_t>(material_.batches.size());
    for (std::int64_t k = std::min(available, most_steps); k >= fewest_steps; --k) {
      std::vector<Expectation> all = steps(k);
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
