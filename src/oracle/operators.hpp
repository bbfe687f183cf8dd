// What the walk knows of one operator: how to compute it and its derivatives. One file per operator in
// oracle/ops, one line in operators().
#pragma once

#include <any>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/graph.hpp"
#include "oracle/array.hpp"
#include "oracle/oracle.hpp"
#include "oracle/products.hpp"

namespace dlbench::oracle {

// Under which conditions a graph is evaluated.
struct Conditions {
  bool training = false;
  std::uint64_t step = 0;                  // of a training run, from 0
  const Arithmetic* arithmetic = nullptr;  // borrowed, never null in a view
};

// One node of the graph during one evaluation. Everything is borrowed.
template <typename T>
struct NodeView {
  const model::Node& node;
  std::vector<const Array<T>*> inputs;      // values, batch extent first
  std::vector<const Array<T>*> parameters;  // in the node's order
  std::span<const std::int64_t> target;     // for losses: per row as many as the graph says
  const Conditions& conditions;
  std::size_t number;  // of the node in its graph
  Products<T>& products;
  // Where forward leaves what the derivatives of this evaluation would compute again; nullptr: nowhere.
  std::any* kept = nullptr;

  [[nodiscard]] const Arithmetic& arithmetic() const { return *conditions.arithmetic; }
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
  // Appends the node's margins below `result.cutoff`, relative to `largest`, the largest magnitude of its
  // first input in the batch that they belong to; nullptr: smooth.
  void (*margins)(const NodeView<T>&, double largest, Margins& result) = nullptr;
  // Where parameter gradients are no sums of products: per parameter the largest sum of absolute terms of its
  // gradient, of a statistic that of its change in one step. nullptr: absolute values do.
  std::vector<double> (*parameter_scales)(const NodeView<T>&, const Array<T>& output_gradient) = nullptr;
  // After a training step's forward pass: replaces the node's statistics among its parameters, whose order is
  // the node's. nullptr: it has none.
  void (*update_statistics)(const NodeView<T>&, std::span<Array<T>> parameters) = nullptr;
};

// Every operator, in the order of docs/oracle.md.
template <typename T>
[[nodiscard]] const std::vector<Operator<T>>& operators();

// Asserts that there is one of this name.
template <typename T>
[[nodiscard]] const Operator<T>& operator_of(std::string_view name);

}  // namespace dlbench::oracle
