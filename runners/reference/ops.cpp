#include "ops.hpp"

namespace reference {

const OpTable& ops() {
  static const OpTable table("op", {{"conv2d", lower_conv2d},
                                    {"dense", lower_dense},
                                    {"flatten", lower_flatten},
                                    {"max_pool", lower_max_pool},
                                    {"relu", lower_relu},
                                    {"softmax_cross_entropy", lower_loss}});
  return table;
}

// Only a name: the numbers stay where they are, and the layer behind remembers the picture they came from.
Place* lower_flatten(Program& program, const dlbench::model::Node& node, const std::vector<Place*>& inputs) {
  const Place& in = *inputs[0];
  Place* out = program.add_view(in, node.output_shape);
  if (in.shape.size() == 3 && in.channels_last) {
    out->flattened = dlbench::sdk::Picture{in.shape[0], in.shape[1], in.shape[2]};
  }
  out->channels_last = true;
  return out;
}

}  // namespace reference
