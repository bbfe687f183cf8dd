// The operators' specifications; op_spec.cpp lists them.
#pragma once

#include "model/op_spec.hpp"

namespace dlbench::model {

[[nodiscard]] OpSpec conv2d_spec();
[[nodiscard]] OpSpec dense_spec();
[[nodiscard]] OpSpec flatten_spec();
[[nodiscard]] OpSpec max_pool_spec();
[[nodiscard]] OpSpec relu_spec();
[[nodiscard]] OpSpec softmax_cross_entropy_spec();

}  // namespace dlbench::model
