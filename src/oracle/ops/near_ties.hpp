// Choices that rounding may make either way: which side of zero, which of two maxima.
#pragma once

#include <cstdint>

#include "base/philox.hpp"
#include "oracle/operators.hpp"

namespace dlbench::oracle::ops {

// Which of a node's near ties an evaluation takes the other way. A pure function of the evaluation's
// variation, the step, the node and the index, so that an evaluation can be repeated.
class NearTies {
 public:
  // `margin`: the share of the largest magnitude of the node's first input below which a tie is near; 0: none
  // is.
  template <typename T>
  NearTies(const NodeView<T>& view, double margin)
      : threshold_(margin > 0.0 ? margin * largest_magnitude(view.inputs[0]->values) : 0.0),
        draw_((view.arithmetic().rounding.variation << 32U) + view.conditions.step, base::Stream::rounding,
              view.number) {}

  // With a chance of one half next to the jump that falls to none at the margin. Ties at distance 0 are
  // exact, in every precision: they are no choice of rounding.
  [[nodiscard]] bool other_way(double distance, std::size_t index) const {
    return distance > 0.0 && distance < threshold_ &&
           static_cast<double>(draw_.uniform(index)) < 0.5 * (1.0 - distance / threshold_);
  }
  [[nodiscard]] bool any() const { return threshold_ > 0.0; }

 private:
  double threshold_;
  base::Random draw_;
};

}  // namespace dlbench::oracle::ops
