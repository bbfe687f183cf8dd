// The table of `dlbench verify --ops`: operators by frameworks.
#pragma once

#include <string>
#include <vector>

#include "host/verify_ops.hpp"

namespace dlbench::app {

struct OperatorColumn {
  std::string framework;
  std::vector<host::OpSummary> operators;  // the same operators in every column
};

// One line for each operator, then one for each graph that did not pass.
[[nodiscard]] std::string operator_table(const std::vector<OperatorColumn>& columns);

}  // namespace dlbench::app
