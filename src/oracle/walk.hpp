// One evaluation of a graph: forward through its nodes in order, then backward. It knows no operator by name.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "model/graph.hpp"
#include "model/tensor.hpp"
#include "oracle/array.hpp"
#include "oracle/operators.hpp"

namespace dlbench::oracle {

// Only the double evaluation judges others, so only it measures scales and margins.
template <typename T>
inline constexpr bool is_judge = std::is_same_v<T, double>;

template <typename T>
struct Gradients {
  std::vector<Array<T>> values;  // per parameter, graph order
  std::vector<double> scales;    // largest sum of absolute terms of each; empty unless measured
};

template <typename T>
class Walk {
 public:
  // Called for each parameter once its gradient is known and before any gradient is taken through it.
  using GradientHook = std::function<void(std::size_t parameter, const Array<T>& gradient)>;

  // Borrows graph, weights (graph order), products and the conditions' arithmetic, which must outlive the
  // walk. Runs the forward pass.
  // Asserts a completed graph, weights and a batch that fit it, at least one row, and targets that are
  // classes.
  Walk(const model::Graph& graph, const std::vector<Array<T>>& weights, const model::Batch& batch,
       Products<T>& products, const Conditions& conditions);

  [[nodiscard]] const Array<T>& logits() const;
  [[nodiscard]] double loss() const;
  [[nodiscard]] double logits_scale() const;  // largest sum of absolute terms
  // Unsorted, those below the cutoff. `scales`: what the distances of each node are relative to; empty: the
  // largest magnitudes of this evaluation.
  [[nodiscard]] Margins margins(double cutoff, std::span<const double> scales) const;

  // At most once. The hook may change the weights: the rest of the pass then sees the new ones.
  [[nodiscard]] Gradients<T> backward(bool measure_scales, const GradientHook& hook = {});
  // What a training step does to the statistics among `weights` (graph order).
  void update_statistics(std::vector<Array<T>>& weights) const;

 private:
  void link();
  void check(const std::vector<Array<T>>& weights) const;
  [[nodiscard]] NodeView<T> view_of(std::size_t node) const;
  [[nodiscard]] NodeView<T> keeping_view_of(std::size_t node);
  [[nodiscard]] std::vector<double> scales_of(const NodeView<T>& view, const Array<T>& output_gradient) const;
  void take_parameter_gradients(std::size_t node, const NodeView<T>& view, const Array<T>& output_gradient,
                                Gradients<T>& result, const GradientHook& hook);
  void propagate(std::size_t node, const NodeView<T>& view, const Array<T>& output_gradient);

  const model::Graph& graph_;
  const std::vector<Array<T>>& weights_;
  std::vector<std::int64_t> target_;
  Products<T>& products_;
  Conditions conditions_;
  // Value 0 is the graph's input, value i + 1 the output of node i.
  std::vector<std::vector<std::size_t>> inputs_;    // per node: its values
  std::vector<std::size_t> first_parameters_;       // per node: index of its first parameter
  std::vector<Array<T>> values_;                    // per value
  std::vector<std::optional<Array<T>>> gradients_;  // per value, during backward
  std::vector<std::any> kept_;                      // per node
};

}  // namespace dlbench::oracle
