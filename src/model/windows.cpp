#include "model/windows.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace dlbench::model {

Windows::Windows(const Node& node, const Shape& input) {
  DLBENCH_ASSERT(input.size() == 3 && node.output_shape.size() == 3, node.name);
  const Extents& pads = integers(node, "pads");
  const bool is_dilated = node.attributes.contains("dilation");
  for (std::size_t i = 0; i < 2; ++i) {
    const std::int64_t distance = is_dilated ? integers(node, "dilation")[i] : 1;
    axes_[i] = {.extent = input[i + 1],
                .windows = node.output_shape[i + 1],
                .stride = integers(node, "stride")[i],
                .reach = (integers(node, "kernel")[i] - 1) * distance + 1,
                .before = pads[i],
                .after = pads[i + 2]};
  }
}

std::int64_t Windows::Axis::behind() const {
  const std::int64_t read =
      (windows - 1) * stride + reach;  // from the first window's begin to the last's end
  return std::max<std::int64_t>(0, read - extent - before);
}

std::int64_t Windows::Axis::count(std::int64_t window, bool with_pads) const {
  const std::int64_t low = with_pads ? -before : 0;
  const std::int64_t high = extent + (with_pads ? after : 0);
  const std::int64_t begin = window * stride - before;
  return std::min(begin + reach, high) - std::max(begin, low);
}

Windows::Extents Windows::pads() const {
  return {axes_[0].before, axes_[1].before, axes_[0].behind(), axes_[1].behind()};
}

bool Windows::is_padded() const {
  return std::ranges::any_of(pads(), [](std::int64_t pad) { return pad != 0; });
}

std::optional<Windows::Extents> Windows::even_pads() const {
  const bool fits = std::ranges::all_of(axes_, [](const Axis& axis) {
    return (axis.extent + 2 * axis.before - axis.reach) / axis.stride + 1 == axis.windows;
  });
  return fits ? std::optional(Extents{axes_[0].before, axes_[1].before}) : std::nullopt;
}

bool Windows::are_rounded_up() const {
  return std::ranges::all_of(axes_, [](const Axis& axis) {
    const std::int64_t span = axis.extent + 2 * axis.before - axis.reach;
    return axis.before == axis.after && (span + axis.stride - 1) / axis.stride + 1 == axis.windows;
  });
}

bool Windows::are_same() const {
  return std::ranges::all_of(axes_, [](const Axis& axis) {
    const std::int64_t windows = (axis.extent + axis.stride - 1) / axis.stride;
    const std::int64_t total =
        std::max<std::int64_t>(0, (windows - 1) * axis.stride + axis.reach - axis.extent);
    return axis.windows == windows && axis.before == total / 2 && axis.behind() == total - total / 2;
  });
}

Windows::Extents Windows::counts(bool with_pads) const {
  Extents all;
  for (std::int64_t row = 0; row < axes_[0].windows; ++row) {
    for (std::int64_t column = 0; column < axes_[1].windows; ++column) {
      all.push_back(axes_[0].count(row, with_pads) * axes_[1].count(column, with_pads));
    }
  }
  return all;
}

std::vector<float> Windows::factors(bool with_pads) const {
  const auto cells = static_cast<double>(axes_[0].reach * axes_[1].reach);
  std::vector<float> factors;
  for (const std::int64_t count : counts(with_pads)) {
    factors.push_back(static_cast<float>(cells / static_cast<double>(count)));
  }
  return factors;
}

}  // namespace dlbench::model
