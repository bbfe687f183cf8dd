// One function per optimizer, each defined in the file of its name; the formulas are those of docs/gate.md.
#pragma once

#include <memory>

#include "oracle/optimizer.hpp"

namespace dlbench::oracle {

template <typename T>
[[nodiscard]] std::unique_ptr<Optimizer<T>> make_adadelta(const OptimizerSettings& settings);
template <typename T>
[[nodiscard]] std::unique_ptr<Optimizer<T>> make_adagrad(const OptimizerSettings& settings);
template <typename T>
[[nodiscard]] std::unique_ptr<Optimizer<T>> make_adam(const OptimizerSettings& settings);
template <typename T>
[[nodiscard]] std::unique_ptr<Optimizer<T>> make_rmsprop(const OptimizerSettings& settings);
template <typename T>
[[nodiscard]] std::unique_ptr<Optimizer<T>> make_sgd(const OptimizerSettings& settings);

}  // namespace dlbench::oracle
