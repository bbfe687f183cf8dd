// The factories of oracle/ops, for the table in operators.cpp only.
#pragma once

#include "oracle/operators.hpp"

namespace dlbench::oracle::ops {

template <typename T>
[[nodiscard]] Operator<T> add();
template <typename T>
[[nodiscard]] Operator<T> avg_pool();
template <typename T>
[[nodiscard]] Operator<T> batch_norm();
template <typename T>
[[nodiscard]] Operator<T> binary_cross_entropy();
template <typename T>
[[nodiscard]] Operator<T> concat();
template <typename T>
[[nodiscard]] Operator<T> conv2d();
template <typename T>
[[nodiscard]] Operator<T> conv_table();
template <typename T>
[[nodiscard]] Operator<T> dense();
template <typename T>
[[nodiscard]] Operator<T> dropout();
template <typename T>
[[nodiscard]] Operator<T> embedding();
template <typename T>
[[nodiscard]] Operator<T> flatten();
template <typename T>
[[nodiscard]] Operator<T> global_avg_pool();
template <typename T>
[[nodiscard]] Operator<T> lrn();
template <typename T>
[[nodiscard]] Operator<T> lstm();
template <typename T>
[[nodiscard]] Operator<T> max_pool();
template <typename T>
[[nodiscard]] Operator<T> relu();
template <typename T>
[[nodiscard]] Operator<T> sigmoid();
template <typename T>
[[nodiscard]] Operator<T> softmax();
template <typename T>
[[nodiscard]] Operator<T> softmax_cross_entropy();
template <typename T>
[[nodiscard]] Operator<T> tanh();

}  // namespace dlbench::oracle::ops
