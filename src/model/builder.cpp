#include "model/builder.hpp"

#include <utility>

namespace dlbench::model {

Builder::Builder(std::string name, Shape input_shape, std::int64_t vocabulary) {
  graph_.name = std::move(name);
  graph_.input_shape = std::move(input_shape);
  graph_.vocabulary = vocabulary;
}

Builder& Builder::add(const std::string& node, const std::string& op, Attributes attributes) {
  return add_from(node, op, {graph_.nodes.empty() ? "input" : graph_.nodes.back().name},
                  std::move(attributes));
}

Builder& Builder::add_from(const std::string& node, const std::string& op, std::vector<std::string> inputs,
                           Attributes attributes) {
  Node next;
  next.name = node;
  next.op = op;
  next.inputs = std::move(inputs);
  next.attributes = std::move(attributes);
  graph_.nodes.push_back(std::move(next));
  return *this;
}

Graph Builder::finish(const std::string& loss) {
  add("loss", loss);
  return complete(std::move(graph_));
}

}  // namespace dlbench::model
