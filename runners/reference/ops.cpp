#include "ops.hpp"

namespace reference {
namespace {

using Entry = std::pair<const std::string, dlbench::sdk::LowerOp<Program, Place*>>;

const Entry fan_out = {"fan_out", lower_fan_out};

// The one list of operators, with or without one more.
OpTable table_with(const std::optional<Entry>& more) {
  const Entry last = {"tanh", lower_tanh};
  return {"op",
          {{"add", lower_add},
           {"avg_pool", lower_avg_pool},
           {"batch_norm", lower_batch_norm},
           {"binary_cross_entropy", lower_binary_cross_entropy},
           {"concat", lower_concat},
           {"conv2d", lower_conv2d},
           {"conv_table", lower_conv_table},
           {"dense", lower_dense},
           {"dropout", lower_dropout},
           {"embedding", lower_embedding},
           {"flatten", lower_flatten},
           {"global_avg_pool", lower_global_avg_pool},
           {"lrn", lower_lrn},
           {"lstm", lower_lstm},
           {"max_pool", lower_max_pool},
           {"relu", lower_relu},
           {"sigmoid", lower_sigmoid},
           {"softmax", lower_softmax},
           {"softmax_cross_entropy", lower_loss},
           last,
           more.value_or(last)}};
}

}  // namespace

const OpTable& ops() {
  static const OpTable table = table_with(std::nullopt);
  return table;
}

const OpTable& own_ops() {
  static const OpTable table = table_with(fan_out);
  return table;
}

// Only a name: the numbers stay where they are, and the layer behind remembers the picture they came from.
Place* lower_flatten(Program& program, const Node& node, const std::vector<Place*>& inputs) {
  const Place& in = *inputs[0];
  Place* out = program.add_view(in, node.output_shape);
  if (in.shape.size() == 3 && in.channels_last) {
    out->flattened = dlbench::sdk::Picture{in.shape[0], in.shape[1], in.shape[2]};
  }
  out->channels_last = true;
  return out;
}

}  // namespace reference
