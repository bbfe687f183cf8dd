#include "model/op_spec.hpp"

#include "model/ops/ops.hpp"

namespace dlbench::model {

const std::vector<OpSpec>& builtin_ops() {
  static const std::vector<OpSpec> ops = {
      add_spec(),
      avg_pool_spec(),
      batch_norm_spec(),
      binary_cross_entropy_spec(),
      concat_spec(),
      conv2d_spec(),
      conv_table_spec(),
      dense_spec(),
      dropout_spec(),
      embedding_spec(),
      flatten_spec(),
      global_avg_pool_spec(),
      lrn_spec(),
      lstm_spec(),
      max_pool_spec(),
      relu_spec(),
      sigmoid_spec(),
      softmax_spec(),
      softmax_cross_entropy_spec(),
      tanh_spec(),
  };
  return ops;
}

const OpSpec* find_op(const std::string& name) {
  for (const OpSpec& spec : builtin_ops()) {
    if (spec.name == name) {
      return &spec;
    }
  }
  return nullptr;
}

}  // namespace dlbench::model
