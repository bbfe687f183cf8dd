// Windows of convolutions and poolings: the geometry of the graph, for frameworks that state it in other
// ways.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/graph.hpp"

namespace dlbench::model {

// The windows of one node, along both axes of its pictures. `before` cells in front of a picture and `behind`
// cells after it give exactly the graph's windows when extents are rounded down; pads that no window reads
// and ceil_mode then need no thought.
class Windows {
 public:
  using Extents = std::vector<std::int64_t>;

  // Borrows nothing. Asserts a node with kernel, stride and pads; `input`: [channels, height, width].
  Windows(const Node& node, const Shape& input);

  // [top, left, bottom, right] cells with which rounding down makes these windows.
  [[nodiscard]] Extents pads() const;
  [[nodiscard]] bool is_padded() const;
  // [rows, columns] of cells on both sides with which rounding down makes them; nullopt: there are none.
  [[nodiscard]] std::optional<Extents> even_pads() const;
  // Whether the graph's own pads are even and rounding up makes these windows.
  [[nodiscard]] bool are_rounded_up() const;
  // Whether TensorFlow's padding SAME makes them: a window for each stride begun, the odd pad behind.
  [[nodiscard]] bool are_same() const;
  // Cells of each window inside the input, or inside the input with the graph's own pads; row by row.
  [[nodiscard]] Extents counts(bool with_pads) const;
  // What makes averages over whole windows those with the divisor counts(with_pads), row by row.
  [[nodiscard]] std::vector<float> factors(bool with_pads) const;

 private:
  struct Axis {
    std::int64_t extent, windows, stride, reach;
    std::int64_t before, after;  // the graph's own pads
    [[nodiscard]] std::int64_t behind() const;
    [[nodiscard]] std::int64_t count(std::int64_t window, bool with_pads) const;
  };
  std::array<Axis, 2> axes_;
};

}  // namespace dlbench::model
