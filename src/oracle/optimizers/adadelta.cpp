#include <cmath>

#include "oracle/optimizers/optimizers.hpp"

namespace dlbench::oracle {
namespace {

template <typename T>
class Adadelta final : public Optimizer<T> {
 public:
  explicit Adadelta(const OptimizerSettings& settings) : settings_(settings) {}

  void update(std::vector<T>& weights, const std::vector<T>& gradient, double rate) override {
    square_.resize(weights.size());
    moved_.resize(weights.size());
    const T rho = static_cast<T>(settings_.values.rho);
    const T fresh = static_cast<T>(1.0 - settings_.values.rho);
    const T decay = static_cast<T>(settings_.values.weight_decay);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const T g = gradient[i] + decay * weights[i];
      square_[i] = rho * square_[i] + fresh * g * g;
      const T d = root(moved_[i]) / root(square_[i]) * g;
      moved_[i] = rho * moved_[i] + fresh * d * d;
      weights[i] -= static_cast<T>(rate) * d;
    }
  }

 private:
  [[nodiscard]] T root(T square) const {
    const T epsilon = static_cast<T>(settings_.values.epsilon);
    return settings_.epsilon_misplaced ? std::sqrt(square) + epsilon : std::sqrt(square + epsilon);
  }

  OptimizerSettings settings_;
  std::vector<T> square_;  // s, starts at zero
  std::vector<T> moved_;   // u, starts at zero
};

}  // namespace

template <typename T>
std::unique_ptr<Optimizer<T>> make_adadelta(const OptimizerSettings& settings) {
  return std::make_unique<Adadelta<T>>(settings);
}

template std::unique_ptr<Optimizer<double>> make_adadelta(const OptimizerSettings& settings);
template std::unique_ptr<Optimizer<float>> make_adadelta(const OptimizerSettings& settings);

}  // namespace dlbench::oracle
