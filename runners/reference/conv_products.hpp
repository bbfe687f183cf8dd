// conv2d as matrix products, for channel counts that oneDNN's convolutions would pad far.
#pragma once

#include "network.hpp"

namespace reference {

// oneDNN's convolutions work on 16 channels at a time: of 20 -> 50 channels they compute 32 -> 64, twice the
// work. Its matrix product pads less. True where the padding wastes more than the unrolling costs; a rule,
// not a measurement, so that the same work gives the same bits at each load.
[[nodiscard]] bool prefers_products(const dlbench::model::Node& node, const Place& in);

void build_product_convolution(Program& program, const dlbench::model::Node& node, const Place* in,
                               Place* out);

}  // namespace reference
