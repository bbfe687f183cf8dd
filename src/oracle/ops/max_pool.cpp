// max_pool: padding never wins; a window that hangs over the end (ceil_mode) is cut there.
#include <limits>

#include "oracle/ops/near_ties.hpp"
#include "oracle/ops/ops.hpp"
#include "oracle/ops/window.hpp"

namespace dlbench::oracle::ops {
namespace {

// Index of the first maximum in row-major order; a NaN counts as the maximum, so that it stays visible.
template <typename T>
std::size_t first_maximum(const Window& window, const std::vector<T>& values) {
  std::size_t best = window.plane + index_of(window.top * window.width + window.left);
  window.for_each_cell([&](std::size_t cell) {
    if (values[cell] > values[best] || (std::isnan(values[cell]) && !std::isnan(values[best]))) {
      best = cell;
    }
  });
  return best;
}

template <typename T>
Array<T> forward(const NodeView<T>& view) {
  const model::Shape& extents = view.node.output_shape;
  Array<T> output({view.inputs[0]->rows(), extents[0], extents[1], extents[2]});
  const std::vector<T>& values = view.inputs[0]->values;
  for_each_window(view, [&](const Window& window) {
    output.values[window.output] = values[first_maximum(window, values)];
  });
  return output;
}

// The largest cell that is smaller than the maximum; `best` where there is none.
template <typename T>
std::size_t runner_up(const Window& window, const std::vector<T>& values, std::size_t best) {
  std::size_t second = best;
  window.for_each_cell([&](std::size_t cell) {
    if (values[cell] < values[best] && (second == best || values[cell] > values[second])) {
      second = cell;
    }
  });
  return second;
}

// The cell that a framework may have taken for the maximum.
template <typename T>
std::size_t taken_maximum(const Window& window, const std::vector<T>& values, const NearTies& near_ties) {
  const std::size_t best = first_maximum(window, values);
  if (!near_ties.any()) {
    return best;
  }
  const std::size_t second = runner_up(window, values, best);
  const double distance = static_cast<double>(values[best]) - static_cast<double>(values[second]);
  return near_ties.other_way(distance, window.output) ? second : best;
}

// Sums of equal patches are equal, but a matrix product may round one column otherwise than the next, as its
// kernels for the edges do on some processors: what is tied must not depend on the machine. Four round-offs
// of the largest value.
template <typename T>
T tie_tolerance(const std::vector<T>& values) {
  return static_cast<T>(2.0 * static_cast<double>(std::numeric_limits<T>::epsilon()) *
                        largest_magnitude(values));
}

template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  Array<T> gradient(view.inputs[0]->shape);
  const std::vector<T>& values = view.inputs[0]->values;
  const T tolerance = view.arithmetic().ties_all ? tie_tolerance(values) : T{0};
  const NearTies near_ties(view, view.arithmetic().rounding.pool_margin);
  for_each_window(view, [&](const Window& window) {
    const T share = output_gradient.values[window.output];
    if (!view.arithmetic().ties_all) {
      gradient.values[taken_maximum(window, values, near_ties)] += share;
      return;
    }
    const std::size_t best = first_maximum(window, values);
    // As the frameworks of this deviation do: each tied cell gets the whole gradient, not a share of it.
    window.for_each_cell([&](std::size_t cell) {
      if (values[cell] == values[best] || values[best] - values[cell] <= tolerance) {
        gradient.values[cell] += share;
      }
    });
  });
  return {std::move(gradient)};
}

template <typename T>
void margins(const NodeView<T>& view, double largest, Margins& result) {
  const std::vector<T>& values = view.inputs[0]->values;
  const std::size_t row_size = index_of(view.inputs[0]->row_size());
  for_each_window(view, [&](const Window& window) {
    const std::size_t best = first_maximum(window, values);
    double distance = std::numeric_limits<double>::infinity();
    window.for_each_cell([&](std::size_t cell) {
      if (cell != best) {
        distance = std::min(distance, static_cast<double>(values[best]) - static_cast<double>(values[cell]));
      }
    });
    // A window of one cell has no runner-up. Zeros that a relu has made are zeros in every precision.
    const bool is_of_zeros = distance == 0.0 && values[best] == T{0};
    const double relative = largest > 0.0 ? distance / largest : 0.0;
    if (std::isfinite(distance) && !is_of_zeros && relative < result.cutoff) {
      result.pool.push_back({relative, static_cast<std::int64_t>(window.plane / row_size), view.number});
    }
  });
}

}  // namespace

template <typename T>
Operator<T> max_pool() {
  return {"max_pool", forward<T>, input_gradients<T>, nullptr, margins<T>};
}

template Operator<double> max_pool();
template Operator<float> max_pool();

}  // namespace dlbench::oracle::ops
