#include <cmath>

#include "oracle/optimizers/optimizers.hpp"

namespace dlbench::oracle {
namespace {

template <typename T>
class Adagrad final : public Optimizer<T> {
 public:
  explicit Adagrad(const OptimizerSettings& settings) : settings_(settings) {}

  void update(std::vector<T>& weights, const std::vector<T>& gradient, double rate) override {
    square_.resize(weights.size(), static_cast<T>(settings_.values.initial_accumulator));
    const T decay = static_cast<T>(settings_.values.weight_decay);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const T g = gradient[i] + decay * weights[i];
      square_[i] += g * g;
      weights[i] -= static_cast<T>(rate) * g / divisor(square_[i]);
    }
  }

 private:
  [[nodiscard]] T divisor(T square) const {
    const T epsilon = static_cast<T>(settings_.values.epsilon);
    return settings_.epsilon_misplaced ? std::sqrt(square + epsilon) : std::sqrt(square) + epsilon;
  }

  OptimizerSettings settings_;
  std::vector<T> square_;  // s; empty before the first step
};

}  // namespace

template <typename T>
std::unique_ptr<Optimizer<T>> make_adagrad(const OptimizerSettings& settings) {
  return std::make_unique<Adagrad<T>>(settings);
}

template std::unique_ptr<Optimizer<double>> make_adagrad(const OptimizerSettings& settings);
template std::unique_ptr<Optimizer<float>> make_adagrad(const OptimizerSettings& settings);

}  // namespace dlbench::oracle
