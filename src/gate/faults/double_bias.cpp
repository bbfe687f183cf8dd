#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"
#include "gate/has_op.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (!trains(experiment) || !has_op(experiment.graph, "lstm")) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.arithmetic.double_bias = true;
  return work;
}

}  // namespace

Fault double_bias() {
  return {"double_bias",
          "an lstm trains one bias for its input and one for its state, which moves their sum twice as far",
          "recurrent",
          apply,
          "sgd",
          "double_bias"};
}

}  // namespace dlbench::gate
