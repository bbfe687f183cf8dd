// batch_norm: x̂ = (x − m) / √(v + ε), y = scale x̂ + shift, for each channel.
#include <algorithm>

#include "base/error.hpp"
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

enum Place { scale, shift, mean, variance };  // in the order of the node's parameters

// A batch as rows of channels: [samples × cells, channels].
template <typename T>
class Columns {
 public:
  explicit Columns(const Array<T>& array)
      : channels_(index_of(array.shape.at(1))),
        cells_(index_of(array.row_size()) / channels_),
        values_(array.values.size()) {
    for_each([&](std::size_t column, std::size_t element) { values_[column] = array.values[element]; });
  }

  [[nodiscard]] std::size_t channels() const { return channels_; }
  [[nodiscard]] std::size_t height() const { return values_.size() / channels_; }
  [[nodiscard]] std::vector<T>& values() { return values_; }
  [[nodiscard]] std::size_t channel_of(std::size_t i) const { return i % channels_; }

  // Σ over the rows, per channel.
  [[nodiscard]] std::vector<T> sums(Products<T>& products, const std::vector<T>& values) const {
    std::vector<T> result(channels_);
    products.column_sums(values.data(), static_cast<std::int64_t>(height()),
                         static_cast<std::int64_t>(channels_), result.data());
    return result;
  }

  void write_to(Array<T>& array) const {
    for_each([&](std::size_t column, std::size_t element) { array.values[element] = values_[column]; });
  }

 private:
  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::size_t element = 0; element < values_.size(); ++element) {
      const std::size_t plane = element / cells_;
      const std::size_t row = plane / channels_ * cells_ + element % cells_;
      visit(row * channels_ + plane % channels_, element);
    }
  }

  std::size_t channels_;
  std::size_t cells_;  // of one channel of one sample
  std::vector<T> values_;
};

// What normalises each channel.
template <typename T>
struct Statistics {
  std::vector<T> mean;
  std::vector<T> variance;  // biased
};

template <typename T>
Statistics<T> of_batch(const NodeView<T>& view, Columns<T>& x) {
  const T count = static_cast<T>(x.height());
  Statistics<T> result;
  result.mean = x.sums(view.products, x.values());
  for (T& value : result.mean) {
    value /= count;
  }
  std::vector<T> squares = x.values();
  for (std::size_t i = 0; i < squares.size(); ++i) {
    const T centered = squares[i] - result.mean[x.channel_of(i)];
    squares[i] = centered * centered;
  }
  result.variance = x.sums(view.products, squares);
  for (T& value : result.variance) {
    value /= count;
  }
  return result;
}

template <typename T>
bool uses_batch(const NodeView<T>& view) {
  return view.conditions.training || view.arithmetic().batch_statistics_always;
}

template <typename T>
Statistics<T> in_force(const NodeView<T>& view, Columns<T>& x) {
  return uses_batch(view) ? of_batch(view, x)
                          : Statistics<T>{view.parameters[mean]->values, view.parameters[variance]->values};
}

// 1 / √(v + ε) per channel.
template <typename T>
std::vector<T> factors(const NodeView<T>& view, const Statistics<T>& statistics) {
  const T epsilon = static_cast<T>(model::real(view.node, "epsilon"));
  std::vector<T> result = statistics.variance;
  for (T& value : result) {
    value = T{1} / std::sqrt(value + epsilon);
  }
  return result;
}

// Turns x into x̂; the factors.
template <typename T>
std::vector<T> normalise(const NodeView<T>& view, Columns<T>& x) {
  const Statistics<T> statistics = in_force(view, x);
  std::vector<T> factor = factors(view, statistics);
  std::vector<T>& values = x.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t c = x.channel_of(i);
    values[i] = (values[i] - statistics.mean[c]) * factor[c];
  }
  return factor;
}

template <typename T>
Array<T> forward(const NodeView<T>& view) {
  Columns<T> x(*view.inputs[0]);
  normalise(view, x);
  std::vector<T>& values = x.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t c = x.channel_of(i);
    values[i] = values[i] * view.parameters[scale]->values[c] + view.parameters[shift]->values[c];
  }
  Array<T> output(view.inputs[0]->shape);
  x.write_to(output);
  return output;
}

// Σ dy and Σ dy x̂ per channel.
template <typename T>
struct Sums {
  std::vector<T> of_dy, of_dy_x;
};

template <typename T>
Sums<T> sums_of(const NodeView<T>& view, Columns<T>& normalised, Columns<T>& dy) {
  std::vector<T> products = dy.values();
  for (std::size_t i = 0; i < products.size(); ++i) {
    products[i] *= normalised.values()[i];
  }
  return {dy.sums(view.products, dy.values()), dy.sums(view.products, products)};
}

// dx = scale / √(v + ε) (dy − mean(dy) − x̂ mean(dy x̂)). Asserts training: nothing else has gradients.
template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  DLBENCH_ASSERT(view.conditions.training, "gradients belong to training");
  Columns<T> x(*view.inputs[0]);
  const std::vector<T> factor = normalise(view, x);
  Columns<T> dy(output_gradient);
  const Sums<T> sums = sums_of(view, x, dy);
  const T count = static_cast<T>(x.height());
  std::vector<T>& values = dy.values();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t c = x.channel_of(i);
    values[i] = view.parameters[scale]->values[c] * factor[c] *
                (values[i] - sums.of_dy[c] / count - x.values()[i] * (sums.of_dy_x[c] / count));
  }
  Array<T> gradient(view.inputs[0]->shape);
  dy.write_to(gradient);
  return {std::move(gradient)};
}

template <typename T>
std::vector<Array<T>> parameter_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  Columns<T> x(*view.inputs[0]);
  normalise(view, x);
  Columns<T> dy(output_gradient);
  Sums<T> sums = sums_of(view, x, dy);
  std::vector<Array<T>> gradients(4, Array<T>(view.parameters[scale]->shape));
  gradients[scale].values = std::move(sums.of_dy_x);
  gradients[shift].values = std::move(sums.of_dy);
  return gradients;  // those of the statistics stay zero
}

template <typename T>
std::vector<double> parameter_scales(const NodeView<T>& view, const Array<T>& output_gradient) {
  const T momentum = static_cast<T>(model::real(view.node, "momentum"));
  Columns<T> input(*view.inputs[0]);
  Columns<T> magnitudes(absolute(*view.inputs[0]));
  std::vector<T> squares = input.values();
  for (T& value : squares) {
    value *= value;
  }
  const T share = momentum / static_cast<T>(input.height());
  const double largest_mean = largest_magnitude(input.sums(view.products, magnitudes.values()));
  const double largest_square = largest_magnitude(input.sums(view.products, squares));
  normalise(view, input);
  for (T& value : input.values()) {
    value = std::abs(value);
  }
  Columns<T> dy(absolute(output_gradient));
  const Sums<T> sums = sums_of(view, input, dy);
  return {largest_magnitude(sums.of_dy_x), largest_magnitude(sums.of_dy),
          static_cast<double>(share) * largest_mean, static_cast<double>(share) * largest_square};
}

template <typename T>
void update_statistics(const NodeView<T>& view, std::span<Array<T>> parameters) {
  if (view.arithmetic().statistics_frozen) {
    return;
  }
  Columns<T> x(*view.inputs[0]);
  const Statistics<T> batch = of_batch(view, x);
  const T momentum = static_cast<T>(model::real(view.node, "momentum"));
  const std::size_t divisor =
      view.arithmetic().biased_running_variance ? x.height() : std::max<std::size_t>(1, x.height() - 1);
  const T correction = static_cast<T>(x.height()) / static_cast<T>(divisor);
  for (std::size_t c = 0; c < x.channels(); ++c) {
    T& running_mean = parameters[mean].values[c];
    T& running_variance = parameters[variance].values[c];
    running_mean = (T{1} - momentum) * running_mean + momentum * batch.mean[c];
    running_variance = (T{1} - momentum) * running_variance + momentum * correction * batch.variance[c];
  }
}

}  // namespace

template <typename T>
Operator<T> batch_norm() {
  return {.name = "batch_norm",
          .forward = forward<T>,
          .input_gradients = input_gradients<T>,
          .parameter_gradients = parameter_gradients<T>,
          .parameter_scales = parameter_scales<T>,
          .update_statistics = update_statistics<T>};
}

template Operator<double> batch_norm();
template Operator<float> batch_norm();

}  // namespace dlbench::oracle::ops
