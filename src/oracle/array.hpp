// A tensor in the precision of one evaluation (double or float), batch extent included.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/tensor.hpp"

namespace dlbench::oracle {

// For sizes and indices that are known not to be negative.
[[nodiscard]] inline std::size_t index_of(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

template <typename T>
struct Array {
  model::Shape shape;
  std::vector<T> values;  // row-major, element_count(shape) of them

  Array() = default;
  explicit Array(model::Shape extents)
      : shape(std::move(extents)), values(index_of(model::element_count(shape))) {}

  [[nodiscard]] std::int64_t rows() const { return shape.at(0); }
  // Elements of one row (of one sample); 0 for an empty batch.
  [[nodiscard]] std::int64_t row_size() const {
    return rows() == 0 ? 0 : static_cast<std::int64_t>(values.size()) / rows();
  }
};

template <typename T>
[[nodiscard]] Array<T> from_floats(const model::Tensor& tensor) {
  Array<T> array;
  array.shape = tensor.shape;
  array.values.assign(tensor.values.begin(), tensor.values.end());
  return array;
}

template <typename T>
[[nodiscard]] std::vector<double> to_doubles(const std::vector<T>& values) {
  return {values.begin(), values.end()};
}

template <typename T>
[[nodiscard]] std::vector<Array<T>> from_weights(const model::Weights& weights) {
  std::vector<Array<T>> result;
  result.reserve(weights.size());
  for (const model::Tensor& tensor : weights) {
    result.push_back(from_floats<T>(tensor));
  }
  return result;
}

template <typename T>
[[nodiscard]] std::vector<std::vector<double>> to_doubles(const std::vector<Array<T>>& arrays) {
  std::vector<std::vector<double>> result;
  result.reserve(arrays.size());
  for (const Array<T>& array : arrays) {
    result.push_back(to_doubles(array.values));
  }
  return result;
}

template <typename T>
[[nodiscard]] Array<T> absolute(const Array<T>& array) {
  Array<T> result = array;
  for (T& value : result.values) {
    value = std::abs(value);
  }
  return result;
}

// 0 for an empty array.
template <typename T>
[[nodiscard]] double largest_magnitude(const std::vector<T>& values) {
  T largest = 0;
  for (const T value : values) {
    largest = std::max(largest, std::abs(value));
  }
  return static_cast<double>(largest);
}

template <typename T>
void add_to(Array<T>& sum, const Array<T>& term) {
  for (std::size_t i = 0; i < sum.values.size(); ++i) {
    sum.values[i] += term.values[i];
  }
}

}  // namespace dlbench::oracle
