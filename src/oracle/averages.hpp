// The recipe's moving averages of what is trained, which evaluation reads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/graph.hpp"
#include "model/recipe.hpp"
#include "oracle/array.hpp"

namespace dlbench::oracle {

template <typename T>
class Averages {
 public:
  Averages(const model::Graph& graph, const model::WeightEma& ema, const std::vector<Array<T>>& weights)
      : ema_(ema) {
    for (const model::Parameter& parameter : model::parameters(graph)) {
      is_averaged_.push_back(ema.decay > 0.0 && !model::is_statistic(parameter.role));
    }
    if (ema.decay > 0.0) {
      values_ = weights;
    }
  }

  // After each step.
  void follow(const std::vector<Array<T>>& weights) {
    if (values_.empty()) {
      return;
    }
    const auto decay = static_cast<T>(model::ema_decay(ema_, ++steps_));
    for (std::size_t i = 0; i < weights.size(); ++i) {
      std::ranges::transform(values_[i].values, weights[i].values, values_[i].values.begin(),
                             [decay](T average, T w) { return average - (T{1} - decay) * (average - w); });
    }
  }

  // What evaluation reads in place of these weights.
  [[nodiscard]] std::vector<Array<T>> over(std::vector<Array<T>> weights) const {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (is_averaged_[i]) {
        weights[i] = values_[i];
      }
    }
    return weights;
  }

 private:
  model::WeightEma ema_;
  std::int64_t steps_ = 0;
  std::vector<bool> is_averaged_;
  std::vector<Array<T>> values_;  // empty: there are none
};

}  // namespace dlbench::oracle
