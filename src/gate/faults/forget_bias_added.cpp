#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"
#include "gate/has_op.hpp"

namespace dlbench::gate {
namespace {

std::optional<FaultyWork> apply(const Experiment& experiment) {
  if (!has_op(experiment.graph, "lstm")) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  work.arithmetic.forget_bias = 1.0;
  return work;
}

}  // namespace

Fault forget_bias_added() {
  return {"forget_bias_added",
          "an lstm adds 1 to the forget gate beside its bias (the default of TensorFlow 1's basic cell)",
          "recurrent", apply};
}

}  // namespace dlbench::gate
