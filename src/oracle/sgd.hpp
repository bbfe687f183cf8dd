// Stochastic gradient descent with momentum, in both places where the rate can stand.
#pragma once

#include <vector>

#include "model/graph.hpp"
#include "model/recipe.hpp"
#include "oracle/array.hpp"
#include "oracle/oracle.hpp"

namespace dlbench::oracle {

// One parameter's settings.
struct SgdSettings {
  model::SgdForm form = model::SgdForm::rate_outside;
  double momentum = 0.0;
  double decay = 0.0;
  double dampening = 0.0;
};

// Per parameter in graph order. Asserts that the recipe's optimizer is sgd.
[[nodiscard]] std::vector<SgdSettings> sgd_settings(const model::Graph& graph, const model::Recipe& recipe,
                                                    const Arithmetic& arithmetic);

// The state of one parameter; the velocity starts at zero.
template <typename T>
class Sgd {
 public:
  explicit Sgd(const SgdSettings& settings);
  // One step. All arithmetic is in T.
  void update(std::vector<T>& weights, const std::vector<T>& gradient, double rate);

 private:
  model::SgdForm form_;
  T momentum_;
  T decay_;
  T gain_;                   // 1 - dampening
  std::vector<T> velocity_;  // empty before the first step
};

}  // namespace dlbench::oracle
