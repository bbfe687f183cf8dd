#include "model/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "model/op_spec.hpp"

namespace dlbench::model {
namespace {

[[noreturn]] void reject(const Node& node, const std::string& reason) {
  throw base::UserError(fmt::format("node '{}' ({}): {}", node.name, node.op, reason), node.name);
}

bool is_name(const std::string& text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !text.empty() && text.size() <= 63 && std::all_of(text.begin(), text.end(), allowed);
}

// Empty: the shape is within limits.
std::string shape_problem(const Shape& shape) {
  if (shape.size() > max_rank) {
    return fmt::format("{} has more than {} extents", to_text(shape), max_rank);
  }
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (extent < 1 || extent > max_extent) {
      return fmt::format("{} has an extent outside 1 … {}", to_text(shape), max_extent);
    }
    count *= extent;
    if (count > max_elements) {
      return fmt::format("{} has more than {} elements", to_text(shape), max_elements);
    }
  }
  return {};
}

std::string known_attributes(const OpSpec& spec) {
  std::string text;
  for (const AttributeSpec& attribute : spec.attributes) {
    text += (text.empty() ? "" : ", ") + attribute.name;
  }
  return text.empty() ? "it has no attributes" : "it has " + text;
}

void complete_attributes(Node& node, const OpSpec& spec) {
  const auto is_known = [&spec](const std::string& name) {
    return std::any_of(spec.attributes.begin(), spec.attributes.end(),
                       [&name](const AttributeSpec& known) { return known.name == name; });
  };
  for (const auto& [name, value] : node.attributes) {
    if (!is_known(name)) {
      reject(node, fmt::format("unknown attribute '{}'; {}", name, known_attributes(spec)));
    }
  }
  for (const AttributeSpec& wanted : spec.attributes) {
    const auto found = node.attributes.find(wanted.name);
    if (found == node.attributes.end()) {
      if (!wanted.default_value) {
        reject(node, fmt::format("attribute '{}' is missing", wanted.name));
      }
      node.attributes[wanted.name] = *wanted.default_value;
    } else if (wanted.kind == AttributeKind::real && std::holds_alternative<std::int64_t>(found->second)) {
      found->second = static_cast<double>(std::get<std::int64_t>(found->second));
    } else if (found->second.index() != static_cast<std::size_t>(wanted.kind)) {
      reject(node, fmt::format("attribute '{}' has the wrong type: {}", wanted.name, wanted.meaning));
    }
  }
}

// The nodes before the current one: shapes by name, and whose output nobody has read yet.
struct Walk {
  std::int64_t vocabulary = 0;  // of the graph's input
  std::map<std::string, Shape> shapes;
  std::set<std::string> unread;
};

std::string inputs_wanted(const InputCount& inputs) {
  return inputs.least == inputs.most ? fmt::format("{}", inputs.least)
                                     : fmt::format("{} to {}", inputs.least, inputs.most);
}

std::vector<Shape> read_inputs(const Node& node, const OpSpec& spec, Walk& walk) {
  if (std::cmp_less(node.inputs.size(), spec.inputs.least) ||
      std::cmp_greater(node.inputs.size(), spec.inputs.most)) {
    reject(node, fmt::format("has {} inputs, must have {}", node.inputs.size(), inputs_wanted(spec.inputs)));
  }
  std::vector<Shape> shapes;
  for (const std::string& input : node.inputs) {
    if (const bool tokens = input == "input" && walk.vocabulary > 0; tokens != spec.reads_tokens) {
      reject(node, tokens ? "it cannot read tokens; put an embedding before it"
                          : "it reads tokens only, from the input of a graph with a vocabulary");
    }
    const auto found = walk.shapes.find(input);
    if (found == walk.shapes.end()) {
      reject(node, fmt::format("its input '{}' is not the name of an earlier node", input));
    }
    if (spec.reads_tokens && integer(node, "vocabulary") != walk.vocabulary) {
      reject(node, fmt::format("its vocabulary must be that of the graph, {}", walk.vocabulary));
    }
    shapes.push_back(found->second);
    walk.unread.erase(input);
  }
  return shapes;
}

void derive(Node& node, const OpSpec& spec, const std::vector<Shape>& inputs) {
  try {
    node.output_shape = spec.output_shape(node, inputs);
  } catch (const base::UserError& error) {
    reject(node, error.what());
  }
  if (const std::string problem = shape_problem(node.output_shape); !problem.empty()) {
    reject(node, "output shape " + problem);
  }
  node.parameters = spec.parameters ? spec.parameters(node, inputs) : std::vector<Parameter>{};
  for (const Parameter& parameter : node.parameters) {
    if (const std::string problem = shape_problem(parameter.shape); !problem.empty()) {
      reject(node, fmt::format("parameter {} of shape {}", parameter.name, problem));
    }
  }
  node.macs = spec.macs ? spec.macs(node, inputs) : 0;
}

void complete_node(Node& node, bool is_last, Walk& walk) {
  if (!is_name(node.name) || node.name == "input") {
    reject(node, "a name has 1 to 63 letters, digits and '_' and is not 'input'");
  }
  if (walk.shapes.contains(node.name)) {
    reject(node, "another node has this name");
  }
  const OpSpec* spec = find_op(node.op);
  if (spec == nullptr) {
    reject(node, "no such operator");
  }
  if (spec->is_loss != is_last) {
    reject(node, is_last ? "the last node must be a loss" : "a loss must be the last node");
  }
  complete_attributes(node, *spec);
  derive(node, *spec, read_inputs(node, *spec, walk));
  walk.shapes[node.name] = node.output_shape;
  walk.unread.insert(node.name);
}

template <class Value>
const Value& attribute(const Node& node, const std::string& name) {
  const auto found = node.attributes.find(name);
  DLBENCH_ASSERT(found != node.attributes.end(), node.name + "." + name);
  const Value* value = std::get_if<Value>(&found->second);
  DLBENCH_ASSERT(value != nullptr, node.name + "." + name);
  return *value;
}

}  // namespace

Graph complete(Graph graph) {
  if (!is_name(graph.name)) {
    throw base::UserError(
        fmt::format("graph name '{}': must be 1 to 63 letters, digits and '_'", graph.name));
  }
  if (const std::string problem = shape_problem(graph.input_shape);
      !problem.empty() || graph.input_shape.empty()) {
    throw base::UserError(
        fmt::format("graph '{}': input shape {}", graph.name, problem.empty() ? "is empty" : problem));
  }
  if (graph.vocabulary < 0 || graph.vocabulary > max_extent) {
    throw base::UserError(fmt::format("graph '{}': vocabulary must be in 0 … {}", graph.name, max_extent));
  }
  if (graph.nodes.empty() || graph.nodes.size() > max_nodes) {
    throw base::UserError(fmt::format("graph '{}': must have 1 to {} nodes", graph.name, max_nodes));
  }
  Walk walk{.vocabulary = graph.vocabulary, .shapes = {{"input", graph.input_shape}}, .unread = {}};
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    complete_node(graph.nodes[i], i + 1 == graph.nodes.size(), walk);
  }
  walk.unread.erase(graph.nodes.back().name);
  if (!walk.unread.empty()) {
    reject(node(graph, *walk.unread.begin()), "no node reads its output");
  }
  const Labels labels = find_op(graph.nodes.back().op)->labels(walk.shapes.at(logits_name(graph)));
  graph.class_count = labels.classes;
  graph.targets_per_sample = labels.per_sample;
  return graph;
}

std::vector<Parameter> parameters(const Graph& graph) {
  std::vector<Parameter> all;
  for (const Node& node : graph.nodes) {
    all.insert(all.end(), node.parameters.begin(), node.parameters.end());
  }
  return all;
}

std::int64_t parameter_count(const Node& node) {
  std::int64_t count = 0;
  for (const Parameter& parameter : node.parameters) {
    count += is_statistic(parameter.role) ? 0 : element_count(parameter.shape);
  }
  return count;
}

std::int64_t parameter_count(const Graph& graph) {
  std::int64_t count = 0;
  for (const Node& node : graph.nodes) {
    count += parameter_count(node);
  }
  return count;
}

std::int64_t macs_per_sample(const Graph& graph) {
  std::int64_t macs = 0;
  for (const Node& node : graph.nodes) {
    macs += node.macs;
  }
  return macs;
}

const Node& node(const Graph& graph, const std::string& name) {
  const auto found =
      std::find_if(graph.nodes.begin(), graph.nodes.end(), [&name](const Node& n) { return n.name == name; });
  DLBENCH_ASSERT(found != graph.nodes.end(), name);
  return *found;
}

const Shape& shape_of(const Graph& graph, const std::string& value) {
  return value == "input" ? graph.input_shape : node(graph, value).output_shape;
}

const std::string& logits_name(const Graph& graph) {
  DLBENCH_ASSERT(!graph.nodes.empty() && !graph.nodes.back().inputs.empty(), graph.name);
  return graph.nodes.back().inputs.front();
}

const Shape& logits_shape(const Graph& graph) {
  return shape_of(graph, logits_name(graph));
}

std::int64_t integer(const Node& node, const std::string& name) {
  return attribute<std::int64_t>(node, name);
}

bool flag(const Node& node, const std::string& name) {
  return attribute<bool>(node, name);
}

double real(const Node& node, const std::string& name) {
  return attribute<double>(node, name);
}

const std::vector<std::int64_t>& integers(const Node& node, const std::string& name) {
  return attribute<std::vector<std::int64_t>>(node, name);
}

}  // namespace dlbench::model
