// Plain float32 tensors in canonical layout (row-major, NCHW logical order): what crosses every border of
// dlbench.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dlbench::model {

using Shape = std::vector<std::int64_t>;

// Product of the extents; 1 for rank 0. Asserts that no extent is negative and that the product fits 63 bits.
[[nodiscard]] std::int64_t element_count(const Shape& shape);

// "[20, 1, 5, 5]"
[[nodiscard]] std::string to_text(const Shape& shape);

struct Tensor {
  Shape shape;
  std::vector<float> values;  // element_count(shape) of them
};

// One mini-batch: `input` is [rows, …], real or tokens as whole numbers; `target` holds the classes of each
// row after those of the row before.
struct Batch {
  Tensor input;
  std::vector<std::int64_t> target;
};

// A network's parameters in graph order (the order of model::parameters(graph)).
using Weights = std::vector<Tensor>;

}  // namespace dlbench::model
