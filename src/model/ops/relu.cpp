#include "model/detail/elementwise.hpp"
#include "model/ops/ops.hpp"

namespace dlbench::model {

OpSpec relu_spec() {
  return elementwise_spec("relu", "y = max(x, 0); the gradient at x = 0 is 0");
}

}  // namespace dlbench::model
