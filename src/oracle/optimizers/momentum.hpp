// The end of every step with momentum: where the rate stands and how far the velocity carries.
#pragma once

#include <cstddef>
#include <vector>

#include "oracle/optimizer.hpp"

namespace dlbench::oracle {

template <typename T>
class Momentum {
 public:
  explicit Momentum(const OptimizerSettings& settings)
      : is_inside_(settings.values.form == model::SgdForm::rate_inside),
        nesterov_(settings.values.nesterov),
        share_(static_cast<T>(settings.values.momentum)) {}

  void begin(std::size_t count, double rate) {
    velocity_.resize(count);
    rate_ = static_cast<T>(rate);
  }
  // What is subtracted from weight i whose direction is `slope`.
  [[nodiscard]] T move(std::size_t i, T slope) {
    const T in = is_inside_ ? rate_ * slope : slope;
    velocity_[i] = share_ * velocity_[i] + in;
    const T out = nesterov_ ? in + share_ * velocity_[i] : velocity_[i];
    return is_inside_ ? out : rate_ * out;
  }

 private:
  bool is_inside_;
  bool nesterov_;
  T share_;
  T rate_ = 0;
  std::vector<T> velocity_;  // starts at zero
};

}  // namespace dlbench::oracle
