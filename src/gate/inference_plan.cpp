#include "gate/inference_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "gate/budget.hpp"
#include "gate/envelope.hpp"
#include "gate/experiments.hpp"
#include "gate/fault_effects.hpp"
#include "gate/limits.hpp"

namespace dlbench::gate {
namespace {

class InferencePlanner {
 public:
  explicit InferencePlanner(const Work& work)
      : work_(work), budget_(budget_of(work)), material_(gather_material(work, budget_.rows)) {}

  Plan make() {
    plan_.key = plan_key(work_);
    add_verified(logits_experiment(work_, material_));
    if (!work_.distant.empty()) {
      add_verified(order_experiment(work_, material_));
    }
    add_timed();
    if (work_.partial) {
      add_full(classes("inference.partial", {*work_.partial}));
    }
    plan_.faults = simulate_faults(plan_);
    return std::move(plan_);
  }

 private:
  void add_verified(Experiment experiment) {
    plan_.expectations.push_back(expect_within(std::move(experiment), budget_.evaluations, budget_.factor));
  }

  void add_timed() {
    const std::int64_t wanted = (least_inference_samples + work_.recipe.batch - 1) / work_.recipe.batch;
    const std::int64_t count = std::min<std::int64_t>(wanted, std::ssize(work_.batches));
    if (count < wanted) {
      plan_.notes.push_back(
          fmt::format("classes of {} samples compared: the work has no more", count * work_.recipe.batch));
    }
    add_full(classes("inference.logits", {work_.batches.begin(), work_.batches.begin() + count}));
    Experiment timed = full("timed.logits", {work_.batches.front()});
    timed.is_timed = true;
    add_full(std::move(timed));
  }

  // Loaded as full batches are timed.
  [[nodiscard]] Experiment full(const std::string& id, std::vector<model::Batch> batches) const {
    Experiment experiment = logits_experiment(work_, material_);
    experiment.id = id;
    experiment.recipe.batch = work_.recipe.batch;
    experiment.batches = std::move(batches);
    return experiment;
  }

  [[nodiscard]] Experiment classes(const std::string& id, std::vector<model::Batch> batches) const {
    Experiment experiment = full(id, std::move(batches));
    experiment.classifies = true;
    return experiment;
  }

  // The envelope is that of the first batch: its samples are like the others.
  void add_full(Experiment experiment) {
    Experiment first = experiment;
    first.batches.resize(1);
    const Envelope envelope = measure_envelope(expect(std::move(first)), reduced_evaluations);
    Expectation expectation = expect(std::move(experiment));
    set_limits(expectation, envelope, reduced_factor);
    plan_.expectations.push_back(std::move(expectation));
  }

  const Work& work_;
  Budget budget_;
  Material material_;
  Plan plan_;
};

}  // namespace

Plan make_inference_plan(const Work& work) {
  DLBENCH_ASSERT(work.task == record::Task::inference, "the work is training");
  return InferencePlanner(work).make();
}

}  // namespace dlbench::gate
