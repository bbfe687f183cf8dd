#include "model/detail/elementwise.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {

OpSpec tanh_spec() {
  return elementwise_spec("tanh", "y = (exp(x) - exp(-x)) / (exp(x) + exp(-x))");
}

}  // namespace dlbench::model
