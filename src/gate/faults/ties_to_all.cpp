#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"
#include "gate/has_op.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (!trains(experiment) || !has_op(experiment.graph, "max_pool")) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.arithmetic.ties_all = true;
  return work;
}

}  // namespace

Fault ties_to_all() {
  return {"ties_to_all", "the gradient of a pooling window goes to every tied maximum", "lenet", apply, "sgd",
          "ties_all"};
}

}  // namespace dlbench::gate
