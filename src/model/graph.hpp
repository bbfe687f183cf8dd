// The neutral description of a network: a list of nodes in execution order.
//
// A graph has one input named "input" (shape without the batch extent), one loss node (the last), whose first
// input is the logits. Everything derived (shapes, parameters, MACs) is filled in by `complete`, so that
// consumers need no operator knowledge.
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

enum class ParameterRole { weight, bias };

struct Parameter {
  std::string name;  // "<node>.weight", "<node>.bias"
  ParameterRole role = ParameterRole::weight;
  Shape shape;              // canonical: conv [out, in/groups, kh, kw], dense [out, in]
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
  std::int64_t macs = 0;  // multiply-adds of one forward pass of one sample, convolution and dense only
};

struct Graph {
  std::string name;
  Shape input_shape;             // without the batch extent, e.g. [1, 28, 28]
  std::int64_t class_count = 0;  // derived: elements of the logits
  std::vector<Node> nodes;
};

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
[[nodiscard]] std::int64_t parameter_count(const Graph& graph);
[[nodiscard]] std::int64_t macs_per_sample(const Graph& graph);
[[nodiscard]] const Node& node(const Graph& graph, const std::string& name);  // asserts that it exists
// Name of the node whose output is the logits (first input of the loss node, the last node).
[[nodiscard]] const std::string& logits_name(const Graph& graph);

// Typed access for completed graphs; asserts presence and type.
[[nodiscard]] std::int64_t integer(const Node& node, const std::string& attribute);
[[nodiscard]] bool flag(const Node& node, const std::string& attribute);
[[nodiscard]] double real(const Node& node, const std::string& attribute);
[[nodiscard]] const std::vector<std::int64_t>& integers(const Node& node, const std::string& attribute);

}  // namespace dlbench::model
