// The operators' specifications; op_spec.cpp lists them.
#pragma once

#include "model/op_spec.hpp"

namespace dlbench::model {

[[nodiscard]] OpSpec add_spec();
[[nodiscard]] OpSpec avg_pool_spec();
[[nodiscard]] OpSpec batch_norm_spec();
[[nodiscard]] OpSpec binary_cross_entropy_spec();
[[nodiscard]] OpSpec concat_spec();
[[nodiscard]] OpSpec conv2d_spec();
[[nodiscard]] OpSpec conv_table_spec();
[[nodiscard]] OpSpec dense_spec();
[[nodiscard]] OpSpec dropout_spec();
[[nodiscard]] OpSpec embedding_spec();
[[nodiscard]] OpSpec flatten_spec();
[[nodiscard]] OpSpec global_avg_pool_spec();
[[nodiscard]] OpSpec lrn_spec();
[[nodiscard]] OpSpec lstm_spec();
[[nodiscard]] OpSpec max_pool_spec();
[[nodiscard]] OpSpec relu_spec();
[[nodiscard]] OpSpec sigmoid_spec();
[[nodiscard]] OpSpec softmax_cross_entropy_spec();
[[nodiscard]] OpSpec softmax_spec();
[[nodiscard]] OpSpec tanh_spec();

}  // namespace dlbench::model
