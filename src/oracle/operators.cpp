#include "oracle/operators.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle {

template <typename T>
const std::vector<Operator<T>>& operators() {
  static const std::vector<Operator<T>> table = {
      ops::conv2d<T>(), ops::max_pool<T>(), ops::dense<T>(),
      ops::relu<T>(),   ops::flatten<T>(),  ops::softmax_cross_entropy<T>(),
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
