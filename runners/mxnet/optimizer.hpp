// Optimizers of the recipe in MXNet.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/recipe.hpp"
#include "network.hpp"
#include "runner_sdk/cpp/lower.hpp"

namespace runner {

class Optimizer {
 public:
  Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;
  virtual ~Optimizer() = default;

  // Updates every parameter from its gradient; may return before that is done.
  virtual void update(double rate) = 0;
  // Forgets momentum and whatever else it holds.
  virtual void reset() = 0;
};

// `weights` must outlive the optimizer.
using MakeOptimizer = std::unique_ptr<Optimizer> (*)(const dlbench::model::Recipe& recipe,
                                                     const std::vector<Weights>& weights);

[[nodiscard]] const dlbench::sdk::Table<MakeOptimizer>& optimizers();
// What the description says: the table's names and what every one of them can do besides.
[[nodiscard]] std::vector<std::string> optimizer_names();

}  // namespace runner
