// The operators for people: docs/ops.md is this text.
#pragma once

#include <string>

namespace dlbench::model {

[[nodiscard]] std::string op_document();

}  // namespace dlbench::model
