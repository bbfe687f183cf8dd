#include "oracle/operators.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle {

template <typename T>
const std::vector<Operator<T>>& operators() {
  static const std::vector<Operator<T>> table = {
      ops::add<T>(),
      ops::avg_pool<T>(),
      ops::batch_norm<T>(),
      ops::binary_cross_entropy<T>(),
      ops::concat<T>(),
      ops::conv2d<T>(),
      ops::conv_table<T>(),
      ops::dense<T>(),
      ops::dropout<T>(),
      ops::embedding<T>(),
      ops::flatten<T>(),
      ops::global_avg_pool<T>(),
      ops::lrn<T>(),
      ops::lstm<T>(),
      ops::max_pool<T>(),
      ops::relu<T>(),
      ops::sigmoid<T>(),
      ops::softmax<T>(),
      ops::softmax_cross_entropy<T>(),
      ops::tanh<T>(),
  };
  return table;
}

template <typename T>
const Operator<T>& operator_of(std::string_view name) {
  const std::vector<Operator<T>>& table = operators<T>();
  const auto found = std::ranges::find(table, name, &Operator<T>::name);
  DLBENCH_ASSERT(found != table.end(), "the oracle has no operator " + std::string(name));
  return *found;
}

template const std::vector<Operator<double>>& operators();
template const std::vector<Operator<float>>& operators();
template const Operator<double>& operator_of(std::string_view name);
template const Operator<float>& operator_of(std::string_view name);

}  // namespace dlbench::oracle
