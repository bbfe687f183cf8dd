// From the neutral graph to a framework: a table {op name -> function} and one walk. A missing entry is
// UNSUPPORTED.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/graph.hpp"
#include "runner_sdk/cpp/unsupported.hpp"

namespace dlbench::sdk {

// Names and what the runner has for them. The description lists names(), so what a runner claims is what it
// has.
template <class Function>
class Table {
 public:
  // `kind` is the word in the refusal: "op", "optimizer".
  Table(std::string kind, std::initializer_list<std::pair<const std::string, Function>> entries)
      : kind_(std::move(kind)), entries_(entries) {}

  // Throws Unsupported("<kind> <name>").
  [[nodiscard]] const Function& at(const std::string& name) const {
    const auto found = entries_.find(name);
    if (found == entries_.end()) {
      throw Unsupported(kind_ + " " + name);
    }
    return found->second;
  }

  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& entry : entries_) {
      result.push_back(entry.first);
    }
    return result;
  }

 private:
  std::string kind_;
  std::map<std::string, Function> entries_;
};

// Builds one node: `context` is whatever the runner builds into, `inputs` the values of the node's inputs in
// order.
template <class Context, class Value>
using LowerOp = Value (*)(Context& context, const model::Node& node, const std::vector<Value>& inputs);

template <class Context, class Value>
using OpTable = Table<LowerOp<Context, Value>>;

template <class Value>
struct Lowered {
  Value logits;
  Value loss;
};

// Walks the nodes in execution order and calls each one's table entry. Every op is looked up before the first
// one is built, so an unsupported graph leaves nothing half-made.
template <class Context, class Value>
Lowered<Value> lower(const model::Graph& graph, const OpTable<Context, Value>& table, Context& context,
                     Value input) {
  for (const model::Node& node : graph.nodes) {
    (void)table.at(node.op);
  }
  std::map<std::string, Value> values;
  values.emplace("input", std::move(input));
  for (const model::Node& node : graph.nodes) {
    std::vector<Value> inputs;
    for (const std::string& name : node.inputs) {
      inputs.push_back(values.at(name));
    }
    values.emplace(node.name, table.at(node.op)(context, node, inputs));
  }
  return {values.at(model::logits_name(graph)), values.at(graph.nodes.back().name)};
}

}  // namespace dlbench::sdk
