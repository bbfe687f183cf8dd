#include "ops.hpp"

namespace runner {

using dlbench::model::Node;
using dlbench::model::real;

Symbol batch_norm(Network& network, const Node& node, const Inputs& inputs) {
  return apply("BatchNorm", node.name, with_weights(network, node, inputs[0]),
               {{"eps", number(real(node, "epsilon"))},
                {"momentum", number(1.0 - real(node, "momentum"))},
                {"fix_gamma", "False"}});
}

}  // namespace runner
