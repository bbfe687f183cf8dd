// Whether a network has a node of some operator: what several experiments and faults depend on.
#pragma once

#include <algorithm>
#include <string_view>

#include "model/graph.hpp"

namespace dlbench::gate {

[[nodiscard]] inline bool has_op(const model::Graph& graph, std::string_view op) {
  return std::ranges::find(graph.nodes, op, &model::Node::op) != graph.nodes.end();
}

}  // namespace dlbench::gate
