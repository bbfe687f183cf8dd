// dropout: y = x / (1 − rate) or 0.
#include "base/error.hpp"
#include "base/philox.hpp"
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

constexpr unsigned step_bits = 32;  // more steps than a run ever has

template <typename T>
bool drops(const NodeView<T>& view) {
  const Dropping& dropping = view.arithmetic().dropping;
  return model::real(view.node, "rate") > 0.0 && !dropping.never &&
         (view.conditions.training || dropping.in_evaluation);
}

// Each value times its element of the mask.
template <typename T>
Array<T> masked(const NodeView<T>& view, Array<T> array) {
  if (!drops(view)) {
    return array;
  }
  const Dropping& dropping = view.arithmetic().dropping;
  if (!dropping.factors.empty()) {
    DLBENCH_ASSERT(dropping.factors.size() == array.values.size(), "masks are given for one dropout node");
    for (std::size_t i = 0; i < array.values.size(); ++i) {
      array.values[i] *= static_cast<T>(dropping.factors[i]);
    }
    return array;
  }
  const double rate = model::real(view.node, "rate");
  const double kept = dropping.swapped ? rate : 1.0 - rate;
  const std::uint64_t seed = dropping.one_mask ? 0 : (dropping.run << step_bits) + view.conditions.step;
  const base::Random random(seed, base::Stream::dropout, view.number);
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    const bool is_kept = static_cast<double>(random.uniform(i)) < kept;
    array.values[i] = is_kept ? array.values[i] / static_cast<T>(kept) : T{0};
  }
  return array;
}

template <typename T>
Array<T> forward(const NodeView<T>& view) {
  return masked(view, *view.inputs[0]);
}

template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  return {masked(view, output_gradient)};
}

}  // namespace

template <typename T>
Operator<T> dropout() {
  return {.name = "dropout", .forward = forward<T>, .input_gradients = input_gradients<T>};
}

template Operator<double> dropout();
template Operator<float> dropout();

}  // namespace dlbench::oracle::ops
