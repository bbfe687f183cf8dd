#include "model/detail/elementwise.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {

OpSpec sigmoid_spec() {
  return elementwise_spec("sigmoid", "y = 1 / (1 + exp(-x))");
}

}  // namespace dlbench::model
