// Optimizers of the recipe in libtorch.
#pragma once

#include <torch/torch.h>

#include <memory>
#include <string>
#include <vector>

#include "model/recipe.hpp"
#include "program.hpp"
#include "runner_sdk/cpp/lower.hpp"

namespace runner {

class Optimizer {
 public:
  Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;
  virtual ~Optimizer() = default;

  virtual void zero_grad() = 0;
  virtual void step(double rate) = 0;
  // Forgets momentum and whatever else it holds.
  virtual void reset() = 0;
};

using MakeOptimizer = std::unique_ptr<Optimizer> (*)(const dlbench::model::Recipe& recipe, Network& network);

[[nodiscard]] const dlbench::sdk::Table<MakeOptimizer>& optimizers();
// What the description says: the table's names and what every one of them can do besides.
[[nodiscard]] std::vector<std::string> optimizer_names();

}  // namespace runner
