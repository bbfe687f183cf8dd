#include "fan_out.hpp"

#include <algorithm>
#include <map>

#include "ops.hpp"

namespace reference {

namespace model = dlbench::model;

namespace {

// One node for each reading, right behind the value's own node. Backward they run in reverse order: the last
// one writes the gradient, the others add to it.
void add_fan_outs(model::Graph& graph, const std::string& value, const model::Shape& shape,
                  std::int64_t reads) {
  for (std::int64_t i = 0; i < reads; ++i) {
    model::Node node;
    node.name = value + "@" + std::to_string(i);
    node.op = "fan_out";
    node.inputs = {value};
    node.output_shape = shape;
    node.attributes["writes"] = i + 1 == reads;
    graph.nodes.push_back(std::move(node));
  }
}

}  // namespace

std::int64_t read_count(const model::Graph& graph, const std::string& value) {
  std::int64_t count = 0;
  for (const model::Node& node : graph.nodes) {
    count += std::ranges::count(node.inputs, value);
  }
  return count;
}

model::Graph with_fan_outs(const model::Graph& graph) {
  model::Graph result = graph;
  result.nodes.clear();
  std::map<std::string, std::int64_t> readings;
  const auto split = [&](const std::string& value, const model::Shape& shape) {
    const std::int64_t reads = read_count(graph, value);
    if (reads > 1) {
      readings[value] = 0;
      add_fan_outs(result, value, shape, reads);
    }
  };
  split("input", graph.input_shape);
  for (model::Node node : graph.nodes) {
    for (std::string& input : node.inputs) {
      if (const auto found = readings.find(input); found != readings.end()) {
        input += "@" + std::to_string(found->second++);
      }
    }
    result.nodes.push_back(node);
    split(node.name, node.output_shape);
  }
  return result;
}

Place* lower_fan_out(Program& program, const model::Node& node, const std::vector<Place*>& inputs) {
  Place* in = inputs[0];
  Place* out = program.add_view(*in, in->shape);
  if (in->gradient == nullptr) {
    return out;
  }
  const std::int64_t count = program.rows() * in->width();
  out->gradient = std::make_shared<Buffer>(static_cast<std::size_t>(count));
  const bool writes = model::flag(node, "writes");
  program.backward({{node.name + ".backward", [=] {
                       const float* __restrict from = out->gradient->data();
                       float* __restrict to = in->gradient->data();
#pragma omp parallel for simd schedule(static)
                       for (std::int64_t i = 0; i < count; ++i) {
                         to[i] = writes ? from[i] : to[i] + from[i];
                       }
                     }}});
  return out;
}

}  // namespace reference
