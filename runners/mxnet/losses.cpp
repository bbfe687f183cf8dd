// Losses read the logits and the variable "target", which has one entry for each target. The loss is the last
// output.
#include "ops.hpp"

namespace runner {

namespace {

using dlbench::model::Node;

Symbol float_target(const Node& node, const Symbol& target) {
  return apply("Cast", node.name + "_target", {target}, {{"dtype", "float32"}});
}

}  // namespace

// SoftmaxOutput has the gradient but no loss: that is computed beside it from the shares, without a gradient
// of its own. Positions are rows like samples, so that both have the mean over all of them.
Symbol softmax_cross_entropy(Network& network, const Node& node, const Inputs& inputs) {
  const Symbol target = variable("target");
  const dlbench::model::Shape& shape = input_shape(network, node);
  const Symbol rows = shape.size() == 1 ? inputs[0]
                                        : apply("Reshape", node.name + "_rows", {inputs[0]},
                                                {{"shape", tuple({-1, shape.back()})}});
  const Symbol shares = apply("SoftmaxOutput", node.name + "_softmax", {rows, float_target(node, target)},
                              {{"normalization", "batch"}});
  const Symbol fixed = apply("BlockGrad", node.name + "_fixed", {shares});
  const Symbol picked = apply("pick", node.name + "_pick", {fixed, target}, {{"axis", "-1"}});
  const Symbol mean = apply("mean", node.name + "_mean", {apply("log", node.name + "_log", {picked})});
  const Symbol loss = apply("BlockGrad", node.name, {apply("negative", node.name + "_negative", {mean})});
  return group({shares, loss});
}

// max(x, 0) - x target + ln(1 + exp(-|x|)), the operators of Gluon's SigmoidBinaryCrossEntropyLoss:
// LogisticRegressionOutput has no loss, and its gradient is a sum over the batch.
Symbol binary_cross_entropy(Network& /*network*/, const Node& node, const Inputs& inputs) {
  const std::string& name = node.name;
  const Symbol x = apply("Reshape", name + "_row", {inputs[0]}, {{"shape", "(-1)"}});
  const Symbol product =
      apply("elemwise_mul", name + "_product", {x, float_target(node, variable("target"))});
  const Symbol linear =
      apply("elemwise_sub", name + "_linear", {apply("relu", name + "_relu", {x}), product});
  const Symbol below = apply("negative", name + "_below", {apply("abs", name + "_abs", {x})});
  const Symbol curve = apply("Activation", name + "_curve", {below}, {{"act_type", "softrelu"}});
  const Symbol sum = apply("elemwise_add", name + "_sum", {linear, curve});
  return apply("make_loss", name, {apply("mean", name + "_mean", {sum})});
}

}  // namespace runner
