// 1 / (1 + exp(-x)), for the operators that contain it.
#pragma once

#include <cmath>

namespace dlbench::oracle::ops {

// exp of a positive number could overflow where the result is just small.
template <typename T>
[[nodiscard]] T sigmoid_of(T x) {
  if (x < T{0}) {
    const T e = std::exp(x);
    return e / (T{1} + e);
  }
  return T{1} / (T{1} + std::exp(-x));
}

}  // namespace dlbench::oracle::ops
