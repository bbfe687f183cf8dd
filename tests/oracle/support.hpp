// Inputs shared by the oracle's tests; make_known_answers.py makes the same numbers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/graph.hpp"
#include "model/op_spec.hpp"
#include "model/recipe.hpp"
#include "oracle/operators.hpp"
#include "oracle/oracle.hpp"

namespace dlbench::oracle::testing {

// Multiples of 2^-24 in [-0.5, 0.5), exact in float.
[[nodiscard]] std::vector<double> noise(std::size_t count, std::uint64_t stream);

[[nodiscard]] model::Weights noise_weights(const model::Graph& graph);
[[nodiscard]] model::Batch noise_batch(const model::Graph& graph, std::int64_t rows, std::uint64_t stream);
[[nodiscard]] model::Tensor tensor(model::Shape shape, std::vector<float> values);

// Rounding that differs from number to number.
[[nodiscard]] Arithmetic variation(std::uint64_t number);

// Every test graph of every builtin operator.
[[nodiscard]] std::vector<model::Graph> all_test_graphs();

// Largest |a - b| relative to the largest |b|; asserts equal sizes.
[[nodiscard]] double relative_error(const Values& a, const Values& b);

// One node with storage for what its view borrows.
template <typename T>
class NodeCase {
 public:
  // `graph` must outlive this. Inputs and parameters are noise in [-0.5, 0.5) without exact ties or zeros.
  NodeCase(const model::Graph& graph, std::size_t node, std::int64_t rows, std::uint64_t stream);

  [[nodiscard]] NodeView<T> view();
  [[nodiscard]] const Operator<T>& op() const { return operator_of<T>(node_->op); }

  [[nodiscard]] std::size_t input_count() const { return 1 + other_inputs.size(); }
  [[nodiscard]] Array<T>& input_at(std::size_t i) { return i == 0 ? input : other_inputs[i - 1]; }

  Array<T> input;                      // the first
  std::vector<Array<T>> other_inputs;  // the rest
  std::vector<Array<T>> parameters;
  std::vector<std::int64_t> target;
  Arithmetic arithmetic;
  Conditions conditions{.training = true, .step = 0, .arithmetic = &arithmetic};

 private:
  const model::Node* node_;
  Products<T> products_{0};
};

template <typename T>
[[nodiscard]] Array<T> array(model::Shape shape, std::vector<T> values) {
  Array<T> result;
  result.shape = std::move(shape);
  result.values = std::move(values);
  return result;
}

// What the first node of `graph` makes of one image of these numbers.
[[nodiscard]] std::vector<double> output_on(const model::Graph& graph, std::vector<double> input);

}  // namespace dlbench::oracle::testing
