// What dlbench knows of one operator: attributes, shapes, parameters, cost, and the small graphs it is tested
// on. Adding an operator = one file in src/model/ops, one line in builtin_ops(), one oracle file.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/graph.hpp"

namespace dlbench::model {

// In the order of the alternatives of Attribute.
enum class AttributeKind { flag, integer, real, text, integers };

struct AttributeSpec {
  std::string name;
  AttributeKind kind = AttributeKind::integer;
  std::optional<Attribute> default_value;  // absent: the attribute is required
  std::string meaning;                     // one line for docs/ops.md; says units or allowed values
};

// How many values a node of this operator reads.
struct InputCount {
  int least = 1;
  int most = 1;
};

// What a loss wants to be told.
struct Labels {
  std::int64_t classes = 0;     // targets are 0 … classes - 1
  std::int64_t per_sample = 0;  // how many of them
};

struct OpSpec {
  std::string name;
  std::string definition;  // the formula, one line, for docs/ops.md
  InputCount inputs;
  bool is_loss = false;
  bool reads_tokens = false;  // its input is that of a graph with a vocabulary; others read real values only.
                              // It has an attribute `vocabulary`, which must be that of the graph.
  std::vector<AttributeSpec> attributes;
  // Output shape for given input shapes (without batch); throws base::UserError with a reason when they do
  // not fit. Attributes are complete and of the right kind when this is called; it checks their values.
  std::function<Shape(const Node&, const std::vector<Shape>&)> output_shape;
  std::function<std::vector<Parameter>(const Node&, const std::vector<Shape>&)> parameters;  // empty: none
  std::function<std::int64_t(const Node&, const std::vector<Shape>&)> macs;                  // empty: 0
  // Losses only: for the shape of the logits, without batch.
  Labels (*labels)(const Shape& logits) = nullptr;
  // Complete small graphs (with loss) that exercise each attribute; `verify --ops` runs them through the
  // gate.
  std::function<std::vector<Graph>()> test_graphs;
};

[[nodiscard]] const std::vector<OpSpec>& builtin_ops();
// nullptr when there is no such operator.
[[nodiscard]] const OpSpec* find_op(const std::string& name);

}  // namespace dlbench::model
