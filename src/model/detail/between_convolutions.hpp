// A test graph that shows an operator in the layouts of real networks.
#pragma once

#include <string>

#include "model/graph.hpp"

namespace dlbench::model {

// Frameworks keep images between convolutions in blocks of 8 or 16 channels, so that an operator there may
// meet its input in one layout and the gradient in another. Named "<op>_between": `inputs` convolutions of 16
// channels on 4 x 4 places, `op` on them, another convolution, a dense layer.
[[nodiscard]] Graph between_convolutions(const std::string& op, Attributes attributes = {}, int inputs = 1);

}  // namespace dlbench::model
