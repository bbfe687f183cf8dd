// Operators that treat every element alone.
#pragma once

#include <string>

#include "model/op_spec.hpp"

namespace dlbench::model {

// Output shape = input shape, no attributes, no parameters; tested after a dense layer and after a
// convolution.
[[nodiscard]] OpSpec elementwise_spec(const std::string& name, const std::string& definition);

}  // namespace dlbench::model
