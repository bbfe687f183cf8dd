// Losses in TensorFlow, which come with the gradient that differentiation begins with.
#pragma once

#include "network.hpp"
#include "runner_sdk/cpp/lower.hpp"

namespace runner {

struct Loss {
  TF_Output mean;      // a scalar
  TF_Output gradient;  // of the mean, of the logits' shape
};

// `node` is the graph's last one, `target` a vector of int64 with one entry for each target.
using AddLoss = Loss (*)(Network& network, const dlbench::model::Node& node, TF_Output logits,
                         TF_Output target);

[[nodiscard]] const dlbench::sdk::Table<AddLoss>& losses();

}  // namespace runner
