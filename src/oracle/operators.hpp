// What the walk knows of one operator: how to compute it and its derivatives. One file per operator in
// oracle/ops, one line in operators().
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/graph.hpp"
#include "oracle/array.hpp"
#include "oracle/products.hpp"

namespace dlbench::oracle {

// Distances of one evaluation from the points where a derivative jumps, see Evaluation.
struct Margins {
  std::vector<double> relu;
  std::vector<double> pool;
};

// One node of the graph during one evaluation. Everything is borrowed.
template <typename T>
struct NodeView {
  const model::Node& node;
  std::vector<const Array<T>*> inputs;      // values, batch extent first
  std::vector<const Array<T>*> parameters;  // in the node's order
  std::span<const std::int64_t> target;     // one class per row; for losses
  bool ties_all = false;
  Products<T>& products;
};

template <typename T>
struct Operator {
  std::string_view name;
  // The node's output; for a loss one value, shape {}.
  Array<T> (*forward)(const NodeView<T>&) = nullptr;
  // Per input, d loss / d input for the given d loss / d output.
  std::vector<Array<T>> (*input_gradients)(const NodeView<T>&, const Array<T>& output_gradient) = nullptr;
  // Per parameter; nullptr: the operator has none. Must be sums of products of an input and the output
  // gradient: the walk calls it with absolute values to get the sums of absolute terms.
  std::vector<Array<T>> (*parameter_gradients)(const NodeView<T>&, const Array<T>& output_gradient) = nullptr;
  // Appends the node's margins, unsorted and unlimited; nullptr: smooth.
  void (*margins)(const NodeView<T>&, Margins&) = nullptr;
};

// Every operator, in the order of docs/oracle.md.
template <typename T>
[[nodiscard]] const std::vector<Operator<T>>& operators();

// Asserts that there is one of this name.
template <typename T>
[[nodiscard]] const Operator<T>& operator_of(std::string_view name);

}  // namespace dlbench::oracle
