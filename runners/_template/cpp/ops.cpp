#include "ops.hpp"

#include <algorithm>

namespace template_runner {
namespace {

using dlbench::model::Node;
using dlbench::sdk::Layout;

// y = x Wᵀ + b. This runner keeps W as [in, out], so that the innermost loop walks along memory; the layout
// says so.
class Dense : public Layer {
 public:
  Dense(Weights* weight, Weights* bias) : weight_(weight), bias_(bias) {}

  void forward(std::size_t rows, const Place& in, Place& out) override {
    std::vector<double> sums(out.width);
    for (std::size_t r = 0; r < rows; ++r) {
      std::ranges::fill(sums, 0.0);
      for (std::size_t i = 0; i < in.width; ++i) {
        const double x = in.values[r * in.width + i];
        for (std::size_t o = 0; o < out.width; ++o) {
          sums[o] += x * weight_->values[i * out.width + o];
        }
      }
      for (std::size_t o = 0; o < out.width; ++o) {
        const double offset = bias_ == nullptr ? 0.0 : bias_->values[o];
        out.values[r * out.width + o] = static_cast<float>(sums[o] + offset);
      }
    }
  }

  void backward(std::size_t rows, Place& in, const Place& out) override {
    for (std::size_t r = 0; r < rows; ++r) {
      const float* dy = out.gradient.data() + r * out.width;
      for (std::size_t i = 0; i < in.width; ++i) {
        const float x = in.values[r * in.width + i];
        double sum = 0.0;
        for (std::size_t o = 0; o < out.width; ++o) {
          weight_->gradient[i * out.width + o] += x * dy[o];
          sum += static_cast<double>(dy[o]) * weight_->values[i * out.width + o];
        }
        in.gradient[r * in.width + i] += static_cast<float>(sum);
      }
      for (std::size_t o = 0; bias_ != nullptr && o < out.width; ++o) {
        bias_->gradient[o] += dy[o];
      }
    }
  }

 private:
  Weights* weight_;
  Weights* bias_;  // may be null
};

class Relu : public Layer {
 public:
  void forward(std::size_t rows, const Place& in, Place& out) override {
    for (std::size_t i = 0; i < rows * in.width; ++i) {
      out.values[i] = std::max(in.values[i], 0.0F);
    }
  }

  void backward(std::size_t rows, Place& in, const Place& out) override {
    for (std::size_t i = 0; i < rows * in.width; ++i) {
      in.gradient[i] += in.values[i] > 0.0F ? out.gradient[i] : 0.0F;
    }
  }
};

std::size_t lower_dense(Network& network, const Node& node, const std::vector<std::size_t>& inputs) {
  Weights* weight = network.add_weights(node.parameters[0], Layout(node.parameters[0].shape).transpose());
  Weights* bias = nullptr;
  if (dlbench::model::flag(node, "bias")) {
    bias = network.add_weights(node.parameters[1], Layout(node.parameters[1].shape));
  }
  const auto width = static_cast<std::size_t>(dlbench::model::integer(node, "out_features"));
  return network.add(std::make_unique<Dense>(weight, bias), inputs[0], width);
}

std::size_t lower_relu(Network& network, const Node& /*node*/, const std::vector<std::size_t>& inputs) {
  return network.add(std::make_unique<Relu>(), inputs[0], network.width(inputs[0]));
}

// Rows are stored flat anyway and in canonical order, so there is nothing to compute.
std::size_t lower_flatten(Network& /*network*/, const Node& /*node*/,
                          const std::vector<std::size_t>& inputs) {
  return inputs[0];
}

// The session computes the loss from the logits; see session.cpp.
std::size_t lower_loss(Network& /*network*/, const Node& /*node*/, const std::vector<std::size_t>& inputs) {
  return inputs[0];
}

}  // namespace

const OpTable& ops() {
  static const OpTable table("op", {{"dense", lower_dense},
                                    {"flatten", lower_flatten},
                                    {"relu", lower_relu},
                                    {"softmax_cross_entropy", lower_loss}});
  return table;
}

}  // namespace template_runner
