#include "oracle/optimizers/momentum.hpp"
#include "oracle/optimizers/optimizers.hpp"

namespace dlbench::oracle {
namespace {

template <typename T>
class Sgd final : public Optimizer<T> {
 public:
  explicit Sgd(const OptimizerSettings& settings)
      : momentum_(settings),
        decay_(static_cast<T>(settings.values.weight_decay)),
        later_gain_(static_cast<T>(1.0 - settings.dampening)) {}

  void update(std::vector<T>& weights, const std::vector<T>& gradient, double rate) override {
    momentum_.begin(weights.size(), rate);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i] -= momentum_.move(i, gain_ * (gradient[i] + decay_ * weights[i]));
    }
    gain_ = later_gain_;
  }

 private:
  Momentum<T> momentum_;
  T decay_;
  T gain_ = 1;  // dampening spares the first step
  T later_gain_;
};

}  // namespace

template <typename T>
std::unique_ptr<Optimizer<T>> make_sgd(const OptimizerSettings& settings) {
  return std::make_unique<Sgd<T>>(settings);
}

template std::unique_ptr<Optimizer<double>> make_sgd(const OptimizerSettings& settings);
template std::unique_ptr<Optimizer<float>> make_sgd(const OptimizerSettings& settings);

}  // namespace dlbench::oracle
