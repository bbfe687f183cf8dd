// What the files of the op table share.
#pragma once

#include <cstdint>
#include <vector>

#include "model/graph.hpp"
#include "program.hpp"

namespace runner {

using dlbench::model::flag;
using dlbench::model::integer;
using dlbench::model::integers;
using dlbench::model::Node;
using dlbench::model::real;
using Extents = std::vector<std::int64_t>;
using Inputs = std::vector<Value>;

// Pads are [top, left, bottom, right]; libtorch's own padding is one number per axis.
inline bool is_symmetric(const Extents& pads) {
  return pads[0] == pads[2] && pads[1] == pads[3];
}

// convolutions.cpp
Value conv2d(Network& network, const Node& node, const Inputs& inputs);
Value conv_table(Network& network, const Node& node, const Inputs& inputs);
// norms.cpp
Value batch_norm(Network& network, const Node& node, const Inputs& inputs);
Value dropout(Network& network, const Node& node, const Inputs& inputs);
// recurrent.cpp
Value embedding(Network& network, const Node& node, const Inputs& inputs);
Value lstm(Network& network, const Node& node, const Inputs& inputs);
// pools.cpp
Value max_pool(Network& network, const Node& node, const Inputs& inputs);
Value avg_pool(Network& network, const Node& node, const Inputs& inputs);
Value global_avg_pool(Network& network, const Node& node, const Inputs& inputs);

}  // namespace runner
