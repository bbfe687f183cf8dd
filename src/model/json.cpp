#include "model/json.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "model/detail/json_text.hpp"
#include "model/detail/object_reader.hpp"

namespace dlbench::model {
namespace {

using nlohmann::json;

constexpr std::size_t max_attributes = 32;
constexpr std::size_t max_inputs = 64;
constexpr std::size_t max_integers = 65'536;

std::string_view role_name(ParameterRole role) {
  switch (role) {
    case ParameterRole::weight:
      return "weight";
    case ParameterRole::recurrent:
      return "recurrent";
    case ParameterRole::bias:
      return "bias";
    case ParameterRole::scale:
      return "scale";
    case ParameterRole::shift:
      return "shift";
    case ParameterRole::mean:
      return "mean";
    case ParameterRole::variance:
      return "variance";
  }
  base::fail_assertion("known role", __FILE__, __LINE__, "");
}

json json_of(const Attribute& attribute) {
  return std::visit([](const auto& value) { return json(value); }, attribute);
}

json json_of(const Parameter& parameter) {
  return {{"name", parameter.name},
          {"role", role_name(parameter.role)},
          {"shape", parameter.shape},
          {"fan_in", parameter.fan_in},
          {"fan_out", parameter.fan_out}};
}

json json_of(const Node& node) {
  json attributes = json::object();
  for (const auto& [name, value] : node.attributes) {
    attributes[name] = json_of(value);
  }
  json parameters = json::array();
  for (const Parameter& parameter : node.parameters) {
    parameters.push_back(json_of(parameter));
  }
  return {{"name", node.name},
          {"op", node.op},
          {"inputs", node.inputs},
          {"attributes", std::move(attributes)},
          {"output_shape", node.output_shape},
          {"parameters", std::move(parameters)},
          {"macs", node.macs}};
}

json json_of(const Graph& graph) {
  json nodes = json::array();
  for (const Node& node : graph.nodes) {
    nodes.push_back(json_of(node));
  }
  return {{"name", graph.name},
          {"input_shape", graph.input_shape},
          {"vocabulary", graph.vocabulary},
          {"class_count", graph.class_count},
          {"targets_per_sample", graph.targets_per_sample},
          {"nodes", std::move(nodes)}};
}

Attribute read_attribute(const ObjectReader& attributes, const std::string& name) {
  const json& value = attributes.at(name.c_str());
  if (value.is_boolean()) {
    return value.get<bool>();
  }
  if (value.is_number_float()) {
    return value.get<double>();
  }
  if (value.is_number()) {
    return attributes.integer(name.c_str());
  }
  if (value.is_string()) {
    return attributes.text(name.c_str());
  }
  return attributes.integers(name.c_str(), max_integers);
}

Node read_node(const json& value, const std::string& place) {
  const ObjectReader reader(value, place,
                            {"name", "op", "inputs", "attributes", "output_shape", "parameters", "macs"});
  Node node;
  node.name = reader.text("name");
  node.op = reader.text("op");
  for (const json& input : reader.array("inputs", max_inputs)) {
    if (!input.is_string()) {
      reject_json(reader.place("inputs"), "must hold names only");
    }
    node.inputs.push_back(input.get<std::string>());
  }
  if (!reader.has("attributes")) {
    return node;
  }
  const json& attributes = reader.at("attributes");
  if (!attributes.is_object() || attributes.size() > max_attributes) {
    reject_json(reader.place("attributes"),
                fmt::format("must be an object of at most {} members", max_attributes));
  }
  // Which names are known depends on the operator: `complete` checks them.
  const ObjectReader values(attributes, reader.place("attributes"));
  for (const auto& [name, member] : attributes.items()) {
    node.attributes[name] = read_attribute(values, name);
  }
  return node;
}

// A derived field that the file carries is a claim: a wrong one is refused, not corrected.
void check_claim(const json& given, const json& derived, const char* key, const std::string& place) {
  const auto found = given.find(key);
  if (found != given.end() && *found != derived.at(key)) {
    reject_json(place + "." + key, fmt::format("must be {}", derived.at(key).dump()));
  }
}

void check_claims(const json& given, const Graph& graph) {
  const json derived = json_of(graph);
  check_claim(given, derived, "class_count", "graph");
  check_claim(given, derived, "targets_per_sample", "graph");
  const json& nodes = derived.at("nodes");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const char* key : {"output_shape", "parameters", "macs"}) {
      check_claim(given.at("nodes")[i], nodes[i], key, fmt::format("graph.nodes[{}]", i));
    }
  }
}

}  // namespace

std::string to_json(const Graph& graph) {
  return canonical_text(json_of(graph));
}

Graph graph_from_json(std::string_view text) {
  const json value = parse_strict(text, "graph");
  const ObjectReader reader(
      value, "graph", {"name", "input_shape", "vocabulary", "class_count", "targets_per_sample", "nodes"});
  Graph graph;
  graph.name = reader.text("name");
  graph.input_shape = reader.integers("input_shape", max_rank);
  graph.vocabulary = reader.has("vocabulary") ? reader.integer("vocabulary") : 0;
  const json& nodes = reader.array("nodes", max_nodes);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    graph.nodes.push_back(read_node(nodes[i], fmt::format("graph.nodes[{}]", i)));
  }
  graph = complete(std::move(graph));
  check_claims(value, graph);
  return graph;
}

}  // namespace dlbench::model
