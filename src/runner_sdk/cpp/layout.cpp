#include "runner_sdk/cpp/layout.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"

namespace dlbench::sdk {

Layout::Layout(const model::Shape& canonical) : count_(model::element_count(canonical)) {
  std::int64_t stride = 1;
  axes_.resize(canonical.size());
  for (std::size_t i = canonical.size(); i > 0; --i) {
    axes_[i - 1] = {Piece{canonical[i - 1], stride}};
    stride *= canonical[i - 1];
  }
}

Layout Layout::permute(const std::vector<std::size_t>& axes) const {
  std::vector<std::size_t> sorted = axes;
  std::ranges::sort(sorted);
  DLBENCH_ASSERT(sorted.size() == axes_.size(), "one entry per axis");
  Layout result = *this;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    DLBENCH_ASSERT(sorted[i] == i, "a permutation names every axis once");
    result.axes_[i] = axes_[axes[i]];
  }
  return result;
}

Layout Layout::transpose() const {
  DLBENCH_ASSERT(axes_.size() == 2, "only a matrix has a transpose");
  return permute({1, 0});
}

Layout Layout::flip(const std::vector<std::size_t>& axes) const {
  Layout result = *this;
  for (const std::size_t axis : axes) {
    DLBENCH_ASSERT(axis < axes_.size(), "axis out of range");
    for (Piece& piece : result.axes_[axis]) {
      result.offset_ += (piece.extent - 1) * piece.stride;
      piece.stride = -piece.stride;
    }
  }
  return result;
}

Layout Layout::channels_last(std::size_t axis, const Picture& picture) const {
  DLBENCH_ASSERT(axis < axes_.size() && axes_[axis].size() == 1, "an axis is reordered once");
  const Piece whole = axes_[axis].front();
  DLBENCH_ASSERT(whole.extent == picture.channels * picture.height * picture.width,
                 "the picture fills the axis");
  Layout result = *this;
  result.axes_[axis] = {Piece{picture.height, whole.stride * picture.width},
                        Piece{picture.width, whole.stride},
                        Piece{picture.channels, whole.stride * picture.width * picture.height}};
  return result;
}

model::Shape Layout::framework_shape() const {
  model::Shape shape;
  for (const Axis& axis : axes_) {
    std::int64_t extent = 1;
    for (const Piece& piece : axis) {
      extent *= piece.extent;
    }
    shape.push_back(extent);
  }
  return shape;
}

std::vector<Layout::Piece> Layout::pieces() const {
  std::vector<Piece> result;
  for (const Axis& axis : axes_) {
    result.insert(result.end(), axis.begin(), axis.end());
  }
  return result;
}

bool Layout::is_identity() const {
  const std::vector<Piece> all = pieces();
  std::int64_t stride = 1;
  for (std::size_t i = all.size(); i > 0; --i) {
    if (all[i - 1].extent != 1 && all[i - 1].stride != stride) {
      return false;
    }
    stride *= all[i - 1].extent;
  }
  return true;
}

// Calls move(framework index, canonical index) for every element, like an odometer whose last wheel turns
// fastest.
template <class Move>
void Layout::for_each_element(Move move) const {
  const std::vector<Piece> all = pieces();
  std::vector<std::int64_t> position(all.size(), 0);
  std::int64_t canonical = offset_;
  for (std::int64_t framework = 0; framework < count_; ++framework) {
    move(static_cast<std::size_t>(framework), static_cast<std::size_t>(canonical));
    for (std::size_t wheel = all.size(); wheel > 0; --wheel) {
      const Piece& piece = all[wheel - 1];
      canonical += piece.stride;
      if (++position[wheel - 1] < piece.extent) {
        break;
      }
      canonical -= piece.extent * piece.stride;
      position[wheel - 1] = 0;
    }
  }
}

void Layout::to_framework(std::span<const float> canonical, std::span<float> framework) const {
  DLBENCH_ASSERT(std::ssize(canonical) == count_ && std::ssize(framework) == count_, "one value per element");
  for_each_element([&](std::size_t to, std::size_t from) { framework[to] = canonical[from]; });
}

void Layout::to_canonical(std::span<const float> framework, std::span<float> canonical) const {
  DLBENCH_ASSERT(std::ssize(canonical) == count_ && std::ssize(framework) == count_, "one value per element");
  for_each_element([&](std::size_t from, std::size_t to) { canonical[to] = framework[from]; });
}

namespace {

const model::Node* find_node(const model::Graph& graph, const std::string& name) {
  const auto found = std::ranges::find(graph.nodes, name, &model::Node::name);
  return found == graph.nodes.end() ? nullptr : &*found;
}

}  // namespace

std::optional<Picture> flattened_picture(const model::Graph& graph, const model::Node& node) {
  DLBENCH_ASSERT(!node.inputs.empty(), "a node with parameters has an input");
  std::string name = node.inputs.front();
  while (true) {
    const model::Node* source = find_node(graph, name);
    const model::Shape& shape = source != nullptr ? source->output_shape : graph.input_shape;
    if (shape.size() == 3) {
      return Picture{shape[0], shape[1], shape[2]};
    }
    // Behind an operator that mixes its inputs the order of a flattened picture is gone.
    if (source == nullptr || !source->parameters.empty()) {
      return std::nullopt;
    }
    name = source->inputs.front();
  }
}

}  // namespace dlbench::sdk
