#include "model/detail/window.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace dlbench::model {

void check_window_attribute(const Node& node, const std::string& attribute, std::size_t count,
                            std::int64_t low) {
  constexpr std::int64_t high = 65'535;
  const std::vector<std::int64_t>& values = integers(node, attribute);
  bool fits = values.size() == count;
  for (const std::int64_t value : values) {
    fits = fits && value >= low && value <= high;
  }
  if (!fits) {
    throw base::UserError(fmt::format("attribute '{}' is {}, must be {} integers in {} … {}", attribute,
                                      to_text(values), count, low, high));
  }
}

void check_image(const Shape& shape) {
  if (shape.size() != 3) {
    throw base::UserError(
        fmt::format("its input has shape {}, must be [channels, height, width]", to_text(shape)));
  }
}

}  // namespace dlbench::model
