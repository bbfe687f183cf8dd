#include "optimizer.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace runner {

namespace {

namespace model = dlbench::model;
using dlbench::sdk::Unsupported;
using model::SgdForm;

// torch::nn::utils::clip_grad_norm_ divides by the norm plus 1e-6, which is another formula.
void clip_norm(const std::vector<torch::Tensor>& parameters, double limit) {
  const torch::NoGradGuard no_grad;
  std::vector<torch::Tensor> norms;
  norms.reserve(parameters.size());
  for (const torch::Tensor& parameter : parameters) {
    norms.push_back(parameter.grad().norm());
  }
  const torch::Tensor factor = limit / torch::stack(norms).norm().clamp_min(limit);
  for (const torch::Tensor& parameter : parameters) {
    parameter.grad().mul_(factor);
  }
}

void clip(const model::Clip& clip, const std::vector<torch::Tensor>& parameters) {
  switch (clip.by) {
    case model::ClipBy::none:
      return;
    case model::ClipBy::element:
      torch::nn::utils::clip_grad_value_(parameters, clip.limit);
      return;
    case model::ClipBy::global_norm:
      clip_norm(parameters, clip.limit);
      return;
  }
}

// One of torch::optim with the recipe's clipping before it. What does not decay is a group of its own.
template <class Framework, class Options>
class Wrapped : public Optimizer {
 public:
  Wrapped(const model::Recipe& recipe, Network& network, const Options& options)
      : recipe_(recipe), options_(options) {
    for (const Weights& weights : network.weights) {
      if (model::is_statistic(weights.parameter.role)) {
        continue;
      }
      const bool decays = model::decays(weights.parameter.role, recipe.optimizer);
      (decays ? decaying_ : spared_).push_back(weights.values);
      parameters_.push_back(weights.values);
    }
    optimizer_ = make();
  }

  void zero_grad() override { optimizer_->zero_grad(); }

  void step(double rate) override {
    clip(recipe_.clip, parameters_);
    for (auto& group : optimizer_->param_groups()) {
      auto& options = static_cast<Options&>(group.options());
      options.lr(rate);
      if constexpr (has_momentum) {
        options.momentum(momentum(rate));
      }
    }
    last_rate_ = rate;
    optimizer_->step();
  }

  // A new one, because torch::optim::Adagrad fills its state only when it is made.
  void reset() override {
    optimizer_ = make();
    last_rate_.reset();
  }

 private:
  static constexpr bool has_momentum = requires(Options& options) { options.momentum(0.0); };

  [[nodiscard]] std::unique_ptr<Framework> make() const {
    std::vector<torch::optim::OptimizerParamGroup> groups;
    const auto add = [&](const std::vector<torch::Tensor>& tensors, double decay) {
      if (!tensors.empty()) {
        auto options = std::make_unique<Options>(options_);
        options->weight_decay(decay);
        groups.emplace_back(tensors, std::move(options));
      }
    };
    add(decaying_, recipe_.optimizer.weight_decay);
    add(spared_, 0.0);
    return std::make_unique<Framework>(std::move(groups), options_);
  }

  // With V = rate * v the form rate_inside, V <- momentum * V + rate * d, w <- w - V, is this optimizer with
  // the momentum scaled by the change of the rate: exactly equal, not an approximation.
  [[nodiscard]] double momentum(double rate) const {
    const model::Optimizer& wanted = recipe_.optimizer;
    if (wanted.form == SgdForm::rate_outside || !last_rate_ || wanted.momentum == 0.0) {
      return wanted.momentum;
    }
    if (rate == 0.0) {
      throw Unsupported("rate 0 with momentum in the form rate_inside");
    }
    return wanted.momentum * *last_rate_ / rate;
  }

  model::Recipe recipe_;
  std::vector<torch::Tensor> parameters_;
  std::vector<torch::Tensor> decaying_;
  std::vector<torch::Tensor> spared_;
  Options options_;
  std::unique_ptr<Framework> optimizer_;
  std::optional<double> last_rate_;
};

// The rate is set per step; the constructors want one.
constexpr double any_rate = 0.01;

// v <- momentum * v + g; w <- w - rate * v, with nesterov w <- w - rate * (g + momentum * v).
std::unique_ptr<Optimizer> make_sgd(const model::Recipe& recipe, Network& network) {
  const model::Optimizer& wanted = recipe.optimizer;
  if (wanted.nesterov && wanted.form == SgdForm::rate_inside) {
    throw Unsupported("sgd with nesterov in the form rate_inside");  // the scaled momentum would look ahead
  }
  const auto options = torch::optim::SGDOptions(any_rate).momentum(wanted.momentum).nesterov(wanted.nesterov);
  return std::make_unique<Wrapped<torch::optim::SGD, torch::optim::SGDOptions>>(recipe, network, options);
}

std::unique_ptr<Optimizer> make_adam(const model::Recipe& recipe, Network& network) {
  const model::Optimizer& wanted = recipe.optimizer;
  const auto options = torch::optim::AdamOptions(any_rate)
                           .betas(std::make_tuple(wanted.beta1, wanted.beta2))
                           .eps(wanted.epsilon);
  return std::make_unique<Wrapped<torch::optim::Adam, torch::optim::AdamOptions>>(recipe, network, options);
}

std::unique_ptr<Optimizer> make_adagrad(const model::Recipe& recipe, Network& network) {
  const auto options = torch::optim::AdagradOptions(any_rate)
                           .initial_accumulator_value(recipe.optimizer.initial_accumulator)
                           .eps(recipe.optimizer.epsilon);
  return std::make_unique<Wrapped<torch::optim::Adagrad, torch::optim::AdagradOptions>>(recipe, network,
                                                                                        options);
}

std::unique_ptr<Optimizer> make_rmsprop(const model::Recipe& recipe, Network& network) {
  const model::Optimizer& wanted = recipe.optimizer;
  if (wanted.epsilon_place == model::EpsilonPlace::inside) {
    throw Unsupported("rmsprop with epsilon inside the root");
  }
  if (wanted.initial_accumulator != 0.0) {
    throw Unsupported("rmsprop with an initial accumulator");
  }
  const auto options = torch::optim::RMSpropOptions(any_rate)
                           .alpha(wanted.rho)
                           .eps(wanted.epsilon)
                           .momentum(wanted.momentum)
                           .centered(wanted.centered);
  return std::make_unique<Wrapped<torch::optim::RMSprop, torch::optim::RMSpropOptions>>(recipe, network,
                                                                                        options);
}

}  // namespace

const dlbench::sdk::Table<MakeOptimizer>& optimizers() {
  static const dlbench::sdk::Table<MakeOptimizer> table(
      "optimizer",
      {{"sgd", make_sgd}, {"adam", make_adam}, {"adagrad", make_adagrad}, {"rmsprop", make_rmsprop}});
  return table;
}

std::vector<std::string> optimizer_names() {
  std::vector<std::string> names = optimizers().names();
  names.insert(names.end(), {"nesterov", "clip=element", "clip=global_norm"});
  return names;
}

}  // namespace runner
