#include "optimizer.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace runner {

namespace {

using dlbench::model::SgdForm;

bool is_bias(const std::string& name) {
  const std::string suffix = ".bias";
  return name.size() > suffix.size() && name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
}

// torch::optim::SGD: v <- momentum * v + (g + decay * w); w <- w - rate * v, dampening 0.
class Sgd : public Optimizer {
 public:
  Sgd(const dlbench::model::Optimizer& wanted, Network& network)
      : wanted_(wanted), optimizer_(groups(wanted, network), options(wanted, wanted.weight_decay)) {}

  void zero_grad() override { optimizer_.zero_grad(); }

  void step(double rate) override {
    for (auto& group : optimizer_.param_groups()) {
      auto& options = static_cast<torch::optim::SGDOptions&>(group.options());
      options.lr(rate);
      options.momentum(momentum(rate));
    }
    last_rate_ = rate;
    optimizer_.step();
  }

  void reset() override {
    optimizer_.state().clear();
    last_rate_.reset();
  }

 private:
  static torch::optim::SGDOptions options(const dlbench::model::Optimizer& wanted, double decay) {
    return torch::optim::SGDOptions(0.01)
        .momentum(wanted.momentum)
        .weight_decay(decay);  // the rate is set per step
  }

  static std::vector<torch::optim::OptimizerParamGroup> groups(const dlbench::model::Optimizer& wanted,
                                                               Network& network) {
    std::vector<torch::Tensor> weights;
    std::vector<torch::Tensor> biases;
    for (const auto& parameter : network.named_parameters()) {
      (is_bias(parameter.key()) && !wanted.decay_bias ? biases : weights).push_back(parameter.value());
    }
    std::vector<torch::optim::OptimizerParamGroup> result;
    const auto add = [&](std::vector<torch::Tensor> tensors, double decay) {
      if (!tensors.empty()) {
        result.emplace_back(std::move(tensors),
                            std::make_unique<torch::optim::SGDOptions>(options(wanted, decay)));
      }
    };
    add(std::move(weights), wanted.weight_decay);
    add(std::move(biases), 0.0);
    return result;
  }

  // With V = rate * v the form rate_inside, V <- momentum * V + rate * (g + decay * w), w <- w - V, is this
  // optimizer with the momentum scaled by the change of the rate: exactly equal, not an approximation.
  [[nodiscard]] double momentum(double rate) const {
    if (wanted_.form == SgdForm::rate_outside || !last_rate_ || wanted_.momentum == 0.0) {
      return wanted_.momentum;
    }
    if (rate == 0.0) {
      throw dlbench::sdk::Unsupported("rate 0 with momentum in the form rate_inside");
    }
    return wanted_.momentum * *last_rate_ / rate;
  }

  dlbench::model::Optimizer wanted_;
  torch::optim::SGD optimizer_;
  std::optional<double> last_rate_;
};

std::unique_ptr<Optimizer> make_sgd(const dlbench::model::Optimizer& wanted, Network& network) {
  return std::make_unique<Sgd>(wanted, network);
}

}  // namespace

const dlbench::sdk::Table<MakeOptimizer>& optimizers() {
  static const dlbench::sdk::Table<MakeOptimizer> table("optimizer", {{"sgd", make_sgd}});
  return table;
}

}  // namespace runner
