#include "model/tensor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "base/error.hpp"

namespace dlbench::model {

std::int64_t element_count(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    DLBENCH_ASSERT(extent >= 0, to_text(shape));
    DLBENCH_ASSERT(extent == 0 || count <= std::numeric_limits<std::int64_t>::max() / extent, to_text(shape));
    count *= extent;
  }
  return count;
}

std::string to_text(const Shape& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace dlbench::model
