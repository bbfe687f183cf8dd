#include <cmath>

#include "oracle/optimizers/optimizers.hpp"

namespace dlbench::oracle {
namespace {

template <typename T>
class Adam final : public Optimizer<T> {
 public:
  explicit Adam(const OptimizerSettings& settings) : settings_(settings) {}

  void update(std::vector<T>& weights, const std::vector<T>& gradient, double rate) override {
    const model::Optimizer& values = settings_.values;
    mean_.resize(weights.size());
    square_.resize(weights.size());
    ++step_;
    const double kept_mean = settings_.bias_correction_missing ? 1.0 : 1.0 - std::pow(values.beta1, step_);
    const double kept_square = settings_.bias_correction_missing ? 1.0 : 1.0 - std::pow(values.beta2, step_);
    // Misplaced: sqrt(s) / sqrt(1 - beta2^t) + epsilon becomes (sqrt(s) + epsilon) / sqrt(1 - beta2^t).
    const double epsilon = values.epsilon / (settings_.epsilon_misplaced ? std::sqrt(kept_square) : 1.0);
    const T beta1 = static_cast<T>(values.beta1);
    const T beta2 = static_cast<T>(values.beta2);
    const T new_mean = static_cast<T>(1.0 - values.beta1);
    const T new_square = static_cast<T>(1.0 - values.beta2);
    const T decay = static_cast<T>(values.weight_decay);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const T g = gradient[i] + decay * weights[i];
      mean_[i] = beta1 * mean_[i] + new_mean * g;
      square_[i] = beta2 * square_[i] + new_square * g * g;
      const T divisor =
          std::sqrt(square_[i]) / static_cast<T>(std::sqrt(kept_square)) + static_cast<T>(epsilon);
      weights[i] -= static_cast<T>(rate / kept_mean) * mean_[i] / divisor;
    }
  }

 private:
  OptimizerSettings settings_;
  int step_ = 0;
  std::vector<T> mean_;    // m, starts at zero
  std::vector<T> square_;  // s, starts at zero
};

}  // namespace

template <typename T>
std::unique_ptr<Optimizer<T>> make_adam(const OptimizerSettings& settings) {
  return std::make_unique<Adam<T>>(settings);
}

template std::unique_ptr<Optimizer<double>> make_adam(const OptimizerSettings& settings);
template std::unique_ptr<Optimizer<float>> make_adam(const OptimizerSettings& settings);

}  // namespace dlbench::oracle
