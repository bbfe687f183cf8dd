// A parameter's layout inside a framework, declared once; both directions of the copy derive from the
// declaration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/graph.hpp"
#include "model/tensor.hpp"

namespace dlbench::sdk {

// Extents of a picture that was flattened.
struct Picture {
  std::int64_t channels = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
};

// How the framework's dense row-major tensor is read from the canonical one. Starts as the identity; each
// verb returns the layout with one more change, axes counted in the framework's current order. Every such
// layout is a strided view of the canonical tensor, which is why one nest of loops serves both directions.
//   conv OIHW -> HWIO:                        Layout(shape).permute({2, 3, 1, 0})
//   dense [out, in] -> [in, out] behind a channels-last flatten:
//                                             Layout(shape).channels_last(1, {50, 4, 4}).transpose()
// Asserts that axes and extents fit.
class Layout {
 public:
  explicit Layout(const model::Shape& canonical);

  // Framework axis i is the present axis axes[i].
  [[nodiscard]] Layout permute(const std::vector<std::size_t>& axes) const;
  // Swaps the axes of a matrix.
  [[nodiscard]] Layout transpose() const;
  // Reverses the order along each of these axes (kernels of frameworks that convolve truly).
  [[nodiscard]] Layout flip(const std::vector<std::size_t>& axes) const;
  // `axis` counts (channel, row, column) in the canonical tensor and (row, column, channel) in the framework,
  // because the framework flattened a channels-last picture.
  [[nodiscard]] Layout channels_last(std::size_t axis, const Picture& picture) const;

  [[nodiscard]] model::Shape framework_shape() const;
  [[nodiscard]] bool is_identity() const;
  // Both spans hold element_count(canonical) values; they must not overlap.
  void to_framework(std::span<const float> canonical, std::span<float> framework) const;
  void to_canonical(std::span<const float> framework, std::span<float> canonical) const;

 private:
  struct Piece {  // part of an axis with one stride in the canonical tensor
    std::int64_t extent;
    std::int64_t stride;
  };
  using Axis = std::vector<Piece>;

  [[nodiscard]] std::vector<Piece> pieces() const;
  template <class Move>
  void for_each_element(Move move) const;

  std::vector<Axis> axes_;
  std::int64_t offset_ = 0;
  std::int64_t count_ = 0;
};

// The picture whose channels-last flatten feeds `node` (through element-wise operators), or nullopt when its
// input was never a picture. What a channels-last runner passes to Layout::channels_last for a dense layer.
[[nodiscard]] std::optional<Picture> flattened_picture(const model::Graph& graph, const model::Node& node);

}  // namespace dlbench::sdk
