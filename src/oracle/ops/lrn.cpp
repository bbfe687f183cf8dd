// lrn: y = x / D^β with D = k + α Σ x² over neighbouring channels.
#include <algorithm>

#include "base/error.hpp"
#include "oracle/ops/ops.hpp"

namespace dlbench::oracle::ops {
namespace {

// All channels at one place of one image.
template <typename T>
class Column {
 public:
  explicit Column(const NodeView<T>& view)
      : channels_(view.inputs[0]->shape[1]),
        reach_(model::integer(view.node, "size") / 2),
        alpha_(static_cast<T>(model::real(view.node, "alpha"))),
        beta_(static_cast<T>(model::real(view.node, "beta"))),
        k_(static_cast<T>(model::real(view.node, "k"))),
        x_(index_of(channels_)),
        scale_(index_of(channels_)) {}

  [[nodiscard]] const std::vector<T>& x() const { return x_; }
  [[nodiscard]] T y(std::size_t channel) const { return x_[channel] * std::pow(scale_[channel], -beta_); }

  // Reads channel c from values[first + c * step].
  void read(const std::vector<T>& values, std::size_t first, std::size_t step) {
    std::vector<T> squares(x_.size());
    for (std::size_t c = 0; c < x_.size(); ++c) {
      x_[c] = values[first + c * step];
      squares[c] = x_[c] * x_[c];
    }
    for (std::size_t c = 0; c < x_.size(); ++c) {
      scale_[c] = k_ + alpha_ * around(squares, c);
    }
  }

  // dx[j] = dy[j] D[j]^-β − 2 α β x[j] Σ dy[i] y[i] / D[i] over the channels i around j.
  [[nodiscard]] std::vector<T> gradient(const std::vector<T>& dy) const {
    std::vector<T> terms(x_.size());
    for (std::size_t c = 0; c < x_.size(); ++c) {
      terms[c] = dy[c] * y(c) / scale_[c];
    }
    std::vector<T> dx(x_.size());
    for (std::size_t c = 0; c < x_.size(); ++c) {
      dx[c] = dy[c] * std::pow(scale_[c], -beta_) - T{2} * alpha_ * beta_ * x_[c] * around(terms, c);
    }
    return dx;
  }

 private:
  [[nodiscard]] T around(const std::vector<T>& values, std::size_t channel) const {
    const auto at = static_cast<std::int64_t>(channel);
    const std::int64_t begin = std::max<std::int64_t>(0, at - reach_);
    const std::int64_t end = std::min(channels_, at + reach_ + 1);
    // A handful of terms: their order is not worth a matrix product for each cell of an image.
    T sum{};
    for (std::int64_t i = begin; i < end; ++i) {
      sum += values[index_of(i)];
    }
    return sum;
  }

  std::int64_t channels_;
  std::int64_t reach_;
  T alpha_, beta_, k_;
  std::vector<T> x_;
  std::vector<T> scale_;
};

// Calls visit(first cell, cells from channel to channel) for each place of each image.
template <typename T, typename Visit>
void for_each_column(const NodeView<T>& view, Visit visit) {
  const model::Shape& shape = view.inputs[0]->shape;
  DLBENCH_ASSERT(shape.size() == 4, "lrn works on images");
  const std::size_t plane = index_of(shape[2] * shape[3]);
  for (std::size_t image = 0; image < index_of(shape[0]); ++image) {
    for (std::size_t place = 0; place < plane; ++place) {
      visit(image * plane * index_of(shape[1]) + place, plane);
    }
  }
}

template <typename T>
Array<T> forward(const NodeView<T>& view) {
  Array<T> output(view.inputs[0]->shape);
  Column<T> column(view);
  for_each_column(view, [&](std::size_t first, std::size_t step) {
    column.read(view.inputs[0]->values, first, step);
    for (std::size_t c = 0; c < column.x().size(); ++c) {
      output.values[first + c * step] = column.y(c);
    }
  });
  return output;
}

template <typename T>
std::vector<Array<T>> input_gradients(const NodeView<T>& view, const Array<T>& output_gradient) {
  Array<T> gradient(view.inputs[0]->shape);
  Column<T> column(view);
  for_each_column(view, [&](std::size_t first, std::size_t step) {
    column.read(view.inputs[0]->values, first, step);
    std::vector<T> dy(column.x().size());
    for (std::size_t c = 0; c < dy.size(); ++c) {
      dy[c] = output_gradient.values[first + c * step];
    }
    const std::vector<T> dx = column.gradient(dy);
    for (std::size_t c = 0; c < dx.size(); ++c) {
      gradient.values[first + c * step] = dx[c];
    }
  });
  return {std::move(gradient)};
}

}  // namespace

template <typename T>
Operator<T> lrn() {
  return {"lrn", forward<T>, input_gradients<T>, nullptr, nullptr};
}

template Operator<double> lrn();
template Operator<float> lrn();

}  // namespace dlbench::oracle::ops
