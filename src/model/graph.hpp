// The neutral description of a network: a list of nodes in execution order.
//
// A graph has one input named "input" (shape without the batch extent), one loss node (the last), whose first
// input is the logits. The input holds real numbers, or tokens: positions in a vocabulary. Everything derived
// (shapes, parameters, MACs) is filled in by `complete`, so that consumers need no operator knowledge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "model/tensor.hpp"

namespace dlbench::model {

using Attribute = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>>;
using Attributes = std::map<std::string, Attribute>;

// recurrent is the weight that a recurrent layer gives to its own last output. scale and shift are what a
// normalisation ends with; mean and variance are its running statistics, which no optimizer moves: a training
// step itself replaces them.
enum class ParameterRole { weight, recurrent, bias, scale, shift, mean, variance };

[[nodiscard]] inline bool is_statistic(ParameterRole role) {
  return role == ParameterRole::mean || role == ParameterRole::variance;
}

// Drawn by the initialiser; the others start at one number throughout.
[[nodiscard]] inline bool is_weight(ParameterRole role) {
  return role == ParameterRole::weight || role == ParameterRole::recurrent;
}

struct Parameter {
  std::string name;  // "<node>.<role>"
  ParameterRole role = ParameterRole::weight;
  Shape shape;              // canonical: conv [out, in/groups, kh, kw], dense [out, in]; docs/ops.md
  std::int64_t fan_in = 0;  // inputs that one output element sums over
  std::int64_t fan_out = 0;
};

struct Node {
  std::string name;                 // unique, [A-Za-z0-9_]{1,63}
  std::string op;                   // name of an OpSpec
  std::vector<std::string> inputs;  // names of earlier nodes, or "input"
  Attributes attributes;            // only those of the OpSpec; `complete` adds defaults

  // Derived by `complete`:
  Shape output_shape;  // without the batch extent; {} for a loss
  std::vector<Parameter> parameters;
  std::int64_t macs = 0;  // multiply-adds of one forward pass of one sample: convolution, dense, lstm
};

struct Graph {
  std::string name;
  Shape input_shape;            // without the batch extent, e.g. [1, 28, 28]
  std::int64_t vocabulary = 0;  // 0: the input is real; else it holds tokens 0 … vocabulary - 1
  // Derived: targets are 0 … class_count - 1, and each sample has so many of them.
  std::int64_t class_count = 0;
  std::int64_t targets_per_sample = 0;
  std::vector<Node> nodes;
};

enum class InputKind { real, tokens };
[[nodiscard]] inline InputKind input_kind(const Graph& graph) {
  return graph.vocabulary > 0 ? InputKind::tokens : InputKind::real;
}

// What any graph may hold, whether built in C++ or read from a file: keeps every product of extents inside 63
// bits.
inline constexpr std::size_t max_nodes = 10'000;
inline constexpr std::size_t max_rank = 6;
inline constexpr std::int64_t max_extent = std::int64_t{1} << 24U;
inline constexpr std::int64_t max_elements = std::int64_t{1}
                                             << 31U;  // of one tensor of one sample, or one parameter

// Checks names, attributes, inputs and shapes and fills in everything derived. Throws base::UserError naming
// the node.
[[nodiscard]] Graph complete(Graph graph);

// All parameters in node order.
[[nodiscard]] std::vector<Parameter> parameters(const Graph& graph);
// Elements of all parameters that are trained: statistics do not count.
[[nodiscard]] std::int64_t parameter_count(const Node& node);
[[nodiscard]] std::int64_t parameter_count(const Graph& graph);
[[nodiscard]] std::int64_t macs_per_sample(const Graph& graph);
[[nodiscard]] const Node& node(const Graph& graph, const std::string& name);  // asserts that it exists
// Without the batch extent: of the sample ("input") or of a node's output, which must exist.
[[nodiscard]] const Shape& shape_of(const Graph& graph, const std::string& value);
// Name of the node whose output is the logits (first input of the loss node, the last node).
[[nodiscard]] const std::string& logits_name(const Graph& graph);
// Without the batch extent: [classes], or [positions, classes] with a target for each position.
[[nodiscard]] const Shape& logits_shape(const Graph& graph);

// Typed access for completed graphs; asserts presence and type.
[[nodiscard]] std::int64_t integer(const Node& node, const std::string& attribute);
[[nodiscard]] bool flag(const Node& node, const std::string& attribute);
[[nodiscard]] double real(const Node& node, const std::string& attribute);
[[nodiscard]] const std::vector<std::int64_t>& integers(const Node& node, const std::string& attribute);

}  // namespace dlbench::model
