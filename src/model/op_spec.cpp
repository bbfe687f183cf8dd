#include "model/op_spec.hpp"

#include "model/ops/ops.hpp"

namespace dlbench::model {

const std::vector<OpSpec>& builtin_ops() {
  static const std::vector<OpSpec> ops = {
      conv2d_spec(), dense_spec(), flatten_spec(), max_pool_spec(), relu_spec(), softmax_cross_entropy_spec(),
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
