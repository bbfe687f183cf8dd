// How one parameter moves in a step. One file per optimizer in oracle/optimizers, one line in
// make_optimizer().
#pragma once

#include <memory>
#include <vector>

#include "model/graph.hpp"
#include "model/recipe.hpp"
#include "oracle/oracle.hpp"

namespace dlbench::oracle {

// One parameter's optimizer. `values.weight_decay` is this parameter's own: 0 where the recipe spares it.
struct OptimizerSettings {
  model::Optimizer values;
  double dampening = 0.0;
  bool epsilon_misplaced = false;
  bool bias_correction_missing = false;
};

// Per parameter in graph order.
[[nodiscard]] std::vector<OptimizerSettings> optimizer_settings(const model::Graph& graph,
                                                                const model::Recipe& recipe,
                                                                const Arithmetic& arithmetic);

// The state of one parameter.
template <typename T>
class Optimizer {
 public:
  Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;
  virtual ~Optimizer() = default;
  // One step. All arithmetic on elements is in T; numbers that all elements share are computed in double.
  virtual void update(std::vector<T>& weights, const std::vector<T>& gradient, double rate) = 0;
};

// Fresh state. Asserts that the oracle has the optimizer.
template <typename T>
[[nodiscard]] std::unique_ptr<Optimizer<T>> make_optimizer(const OptimizerSettings& settings);

}  // namespace dlbench::oracle
