#include "gate/trajectories.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "gate/envelope.hpp"
#include "gate/limits.hpp"
#include "gate/undetermined.hpp"

namespace dlbench::gate {
namespace {

Work slowed(Work work, double share) {
  work.recipe.rate.base *= share;
  return work;
}

class StepPlanner {
 public:
  StepPlanner(const Work& work, const Material& material, const Budget& budget)
      : work_(work), material_(material), budget_(budget) {}

  Trajectories plan() {
    const auto available = static_cast<std::int64_t>(work_.batches.size());
    const std::int64_t longest = std::min(available, most_steps);
    for (const double share : slowed_rates) {
      if (longest < fewest_steps || !plan_at(share, longest)) {
        continue;
      }
      if (share < 1.0) {
        result_.notes.push_back(fmt::format(
            "steps proved at {:.3g} of the recipe's rate: at all of it single precision parts from itself",
            share));
      }
      insert_timed(share);
      break;
    }
    return std::move(result_);
  }

 private:
  // The longest run at this share of the rate that is no chaos; false: there is none.
  bool plan_at(double share, std::int64_t longest) {
    const Work slower = slowed(work_, share);
    if (looks_chaotic(expect(constant_steps(slower, material_, fewest_steps)))) {
      return false;
    }
    const std::vector<Experiment> experiments = {constant_steps(slower, material_, longest),
                                                 changing_steps(slower, material_, longest),
                                                 stress_steps(slower, material_, longest)};
    for (const std::int64_t k : run_lengths) {
      result_.expectations = k <= longest ? expect_all(experiments, k) : std::vector<Expectation>{};
      if (!result_.expectations.empty()) {
        result_.steps = k;
        return true;
      }
    }
    return false;
  }

  // The first k steps of each with their limits; nothing as soon as one says that rounding has taken over.
  [[nodiscard]] std::vector<Expectation> expect_all(const std::vector<Experiment>& experiments,
                                                    std::int64_t k) const {
    std::vector<Expectation> all;
    for (const Experiment& experiment : experiments) {
      Expectation expectation = expect(shortened(experiment, k));
      if (looks_chaotic(expectation)) {
        return {};
      }
      find_undetermined(expectation, budget_.evaluations, budget_.factor);
      set_limits(expectation, measure_envelope(expectation, budget_.evaluations), budget_.factor);
      if (is_chaotic(expectation)) {
        return {};
      }
      all.push_back(std::move(expectation));
    }
    return all;
  }

  // The same question to a few evaluations, which cannot say less than many; it saves these where they are in
  // vain. Not where some elements are undetermined: which ones is not known yet.
  [[nodiscard]] bool looks_chaotic(Expectation expectation) const {
    if (divides_by_gradient(work_.recipe)) {
      return false;
    }
    set_limits(expectation, measure_envelope(expectation, probing_evaluations), budget_.factor);
    return is_chaotic(expectation);
  }

  // Behind those of the recipe as it is: one load serves them. At the rate that is timed, so fewer steps may
  // have to do: a single one where the others needed a slower rate.
  void insert_timed(double share) {
    if (budget_.timed_steps == 0) {
      result_.notes.emplace_back("timed batch not verified: too big for the oracle");
      return;
    }
    const Expectation& constant = result_.expectations.front();
    const std::int64_t longest = share < 1.0 ? 1 : std::min(result_.steps, budget_.timed_steps);
    const Experiment experiment = timed_steps(work_, material_, longest, budget_.timed_candidates);
    for (const std::int64_t k : timed_lengths) {
      if (k > longest) {
        continue;
      }
      Expectation expectation = expect(shortened(experiment, k));
      find_undetermined(expectation, budget_.evaluations, reduced_factor);
      set_timed_limits(expectation, constant);
      if (!is_chaotic(expectation)) {
        if (k < result_.steps) {
          result_.notes.push_back(fmt::format("timed batch verified for {} steps only", k));
        }
        result_.expectations.insert(result_.expectations.end() - 1, std::move(expectation));
        return;
      }
    }
    result_.notes.emplace_back("timed batch not verified: single precision parts from itself");
  }

  // The limits of the verification batches, the floor scaled with the number of terms in each mean; and the
  // timed batch's own envelope of a few evaluations, which holds the flips that no search has avoided there.
  void set_timed_limits(Expectation& expectation, const Expectation& constant) const {
    const double rows = static_cast<double>(expectation.experiment.batches.front().input.shape.at(0));
    set_limits(expectation, measure_envelope(expectation, reduced_evaluations), reduced_factor,
               std::sqrt(std::max(1.0, rows / static_cast<double>(budget_.rows))));
    const auto raise = [](std::vector<double>& limits, const std::vector<double>& least) {
      for (std::size_t i = 0; i < std::min(limits.size(), least.size()); ++i) {
        limits[i] = std::max(limits[i], least[i]);
      }
    };
    raise(expectation.tensor_limits, constant.tensor_limits);
    raise(expectation.loss_limits, constant.loss_limits);
  }

  const Work& work_;
  const Material& material_;
  const Budget& budget_;
  Trajectories result_;
};

}  // namespace

Trajectories plan_trajectories(const Work& work, const Material& material, const Budget& budget) {
  return StepPlanner(work, material, budget).plan();
}

}  // namespace dlbench::gate
