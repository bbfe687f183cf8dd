// Optimizers of the recipe in TensorFlow: operations that update every variable.
#pragma once

#include <string>
#include <vector>

#include "model/recipe.hpp"
#include "network.hpp"
#include "runner_sdk/cpp/lower.hpp"

namespace runner {

// Adds the updates of a network whose gradients are as the optimizer is to see them; `rate` is a scalar of
// each run.
using AddUpdates = std::vector<TF_Operation*> (*)(Network& network, const dlbench::model::Optimizer& wanted,
                                                  TF_Output rate);

// One operation for each trained variable, made by `add_update`, which takes it.
template <class AddUpdate>
std::vector<TF_Operation*> update_each(Network& network, AddUpdate add_update) {
  std::vector<TF_Operation*> updates;
  for (Variable* variable : network.trained()) {
    updates.push_back(add_update(*variable));
  }
  return updates;
}

[[nodiscard]] const dlbench::sdk::Table<AddUpdates>& optimizers();

// What the description says: the table's names and what every one of them can do besides.
[[nodiscard]] std::vector<std::string> optimizer_names();

std::vector<TF_Operation*> add_adadelta(Network& network, const dlbench::model::Optimizer& wanted,
                                        TF_Output rate);
std::vector<TF_Operation*> add_adagrad(Network& network, const dlbench::model::Optimizer& wanted,
                                       TF_Output rate);
std::vector<TF_Operation*> add_adam(Network& network, const dlbench::model::Optimizer& wanted,
                                    TF_Output rate);
std::vector<TF_Operation*> add_rmsprop(Network& network, const dlbench::model::Optimizer& wanted,
                                       TF_Output rate);
std::vector<TF_Operation*> add_sgd(Network& network, const dlbench::model::Optimizer& wanted, TF_Output rate);

}  // namespace runner
