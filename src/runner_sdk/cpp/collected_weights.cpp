#include "runner_sdk/cpp/collected_weights.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace dlbench::sdk {

CollectedWeights::CollectedWeights(const model::Graph& graph) : parameters_(model::parameters(graph)) {
  for (const Parameter& parameter : parameters_) {
    const auto elements = static_cast<std::size_t>(model::element_count(parameter.shape));
    weights_.push_back({parameter.shape, std::vector<float>(elements)});
  }
}

bool CollectedWeights::put(const Parameter& parameter, ConstTensor values) {
  const auto place = std::ranges::find(parameters_, parameter.name, &Parameter::name);
  DLBENCH_ASSERT(place != parameters_.end(), parameter.name);
  const auto index = static_cast<std::size_t>(place - parameters_.begin());
  std::vector<float>& kept = weights_[index].values;
  DLBENCH_ASSERT(kept.size() == values.values.size(), parameter.name);
  std::ranges::copy(values.values, kept.begin());
  fresh_.insert(index);
  if (fresh_.size() < parameters_.size()) {
    return false;
  }
  fresh_.clear();
  return true;
}

}  // namespace dlbench::sdk
