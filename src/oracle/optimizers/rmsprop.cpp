#include <cmath>

#include "oracle/optimizers/momentum.hpp"
#include "oracle/optimizers/optimizers.hpp"

namespace dlbench::oracle {
namespace {

template <typename T>
class Rmsprop final : public Optimizer<T> {
 public:
  explicit Rmsprop(const OptimizerSettings& settings)
      : settings_(settings),
        epsilon_inside_((settings.values.epsilon_place == model::EpsilonPlace::inside) !=
                        settings.epsilon_misplaced),
        momentum_(settings) {}

  void update(std::vector<T>& weights, const std::vector<T>& gradient, double rate) override {
    square_.resize(weights.size(), static_cast<T>(settings_.values.initial_accumulator));
    mean_.resize(weights.size());
    momentum_.begin(weights.size(), rate);
    const T rho = static_cast<T>(settings_.values.rho);
    const T fresh = static_cast<T>(1.0 - settings_.values.rho);
    const T decay = static_cast<T>(settings_.values.weight_decay);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const T g = gradient[i] + decay * weights[i];
      square_[i] = rho * square_[i] + fresh * g * g;
      mean_[i] = rho * mean_[i] + fresh * g;
      const T q = settings_.values.centered ? square_[i] - mean_[i] * mean_[i] : square_[i];
      weights[i] -= momentum_.move(i, g / divisor(q));
    }
  }

 private:
  [[nodiscard]] T divisor(T square) const {
    const T epsilon = static_cast<T>(settings_.values.epsilon);
    return epsilon_inside_ ? std::sqrt(square + epsilon) : std::sqrt(square) + epsilon;
  }

  OptimizerSettings settings_;
  bool epsilon_inside_;
  Momentum<T> momentum_;
  std::vector<T> square_;  // s; empty before the first step
  std::vector<T> mean_;    // a, starts at zero
};

}  // namespace

template <typename T>
std::unique_ptr<Optimizer<T>> make_rmsprop(const OptimizerSettings& settings) {
  return std::make_unique<Rmsprop<T>>(settings);
}

template std::unique_ptr<Optimizer<double>> make_rmsprop(const OptimizerSettings& settings);
template std::unique_ptr<Optimizer<float>> make_rmsprop(const OptimizerSettings& settings);

}  // namespace dlbench::oracle
