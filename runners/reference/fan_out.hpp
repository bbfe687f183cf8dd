// Values that are read more than once.
#pragma once

#include <string>

#include "model/graph.hpp"

namespace reference {

// Reads of a value by all nodes of a graph.
[[nodiscard]] std::int64_t read_count(const dlbench::model::Graph& graph, const std::string& value);

// The same graph with a node of the operator `fan_out` for each reading of such a value: every reader then
// has a gradient of its own to write, and the fan-outs add them up.
[[nodiscard]] dlbench::model::Graph with_fan_outs(const dlbench::model::Graph& graph);

}  // namespace reference
