#include "norms.hpp"

#include <algorithm>

#include "ops.hpp"

namespace runner {

namespace {

using dlbench::model::Node;
using dlbench::model::real;

// sgd_update is w <- (1 - lr * wd) * w - lr * g, the one operator that does all of it.
Attributes factors(const Norm& norm, std::int64_t rows) {
  const std::int64_t count = rows * norm.cells;
  const double above_one = 1.0 / static_cast<double>(std::max<std::int64_t>(1, count - 1));
  return {{"lr", number(count == 1 ? 0.0 : above_one * norm.past)}, {"wd", number(-1.0 / norm.past)}};
}

}  // namespace

Correction::Correction(const Norm& norm, std::int64_t rows)
    : unbias_("sgd_update", {norm.variance, norm.before}, norm.variance, factors(norm, rows)),
      remember_("_copy", {norm.variance}, norm.before, {}) {}

void Correction::run() {
  unbias_.run();
  remember_.run();
}

std::vector<Correction> corrections(const Network& network, std::int64_t rows) {
  std::vector<Correction> all;
  for (const Norm& norm : network.norms) {
    all.emplace_back(norm, rows);
  }
  return all;
}

Symbol batch_norm(Network& network, const Node& node, const Inputs& inputs) {
  const double past = 1.0 - real(node, "momentum");
  const Inputs all = with_weights(network, node, inputs[0]);
  const Weights& variance = network.weights.back();
  const Array before = make_array(Type::f32, variance.parameter.shape);
  const auto& shape = node.output_shape;
  network.norms.push_back(
      {variance.parameter.name, variance.values, before, past, shape.size() == 3 ? shape[1] * shape[2] : 1});
  return apply("BatchNorm", node.name, all,
               {{"eps", number(real(node, "epsilon"))}, {"momentum", number(past)}, {"fix_gamma", "False"}});
}

}  // namespace runner
