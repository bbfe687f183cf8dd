// The optimizer table: one fused loop for each parameter.
#pragma once

#include <string>
#include <vector>

#include "network.hpp"
#include "runner_sdk/cpp/lower.hpp"

namespace reference {

// A task that applies one update to `weights`, to be run after its gradient is known and its values were last
// read.
using MakeUpdate = Task (*)(Network& network, Weights& weights);
[[nodiscard]] const dlbench::sdk::Table<MakeUpdate>& optimizers();
// What the description says: the table's names and what every one of them can do besides.
[[nodiscard]] std::vector<std::string> optimizer_names();

// The update that the loaded recipe asks for. Where the norm of all gradients is clipped it is put off until
// the last of them is known, and the task only adds to the norm.
[[nodiscard]] Task make_update(Network& network, Weights& weights);

// Whether a matrix product may add its gradient into the velocity itself: the gradient then never exists.
[[nodiscard]] bool may_fold_velocity(const dlbench::model::Recipe& recipe);

// One file each; all but sgd read numbers and state through update.hpp.
[[nodiscard]] Task make_adadelta(Network& network, Weights& weights);
[[nodiscard]] Task make_adagrad(Network& network, Weights& weights);
[[nodiscard]] Task make_adam(Network& network, Weights& weights);
[[nodiscard]] Task make_rmsprop(Network& network, Weights& weights);

}  // namespace reference
