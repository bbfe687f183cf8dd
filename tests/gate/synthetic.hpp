// Deterministic images for gate tests: strokes on a flat black background, quantised to bytes like real ones,
// so that pooling ties, dead regions and their noise appear as they do with real data.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "base/philox.hpp"
#include "gate/gate.hpp"

namespace dlbench::gate::testing {

// Three soft blobs per plane; everything else is exactly zero.
inline void draw_plane(float* pixels, std::int64_t height, std::int64_t width, const base::Random& random,
                       std::uint64_t number) {
  for (std::uint64_t blob = 0; blob < 3; ++blob) {
    const std::uint64_t at = (number * 3 + blob) * 4;
    const double y = static_cast<double>(height) * (0.2 + 0.6 * static_cast<double>(random.uniform(at)));
    const double x = static_cast<double>(width) * (0.2 + 0.6 * static_cast<double>(random.uniform(at + 1)));
    const double radius =
        1.0 + 0.15 * static_cast<double>(height) * static_cast<double>(random.uniform(at + 2));
    const double peak = 100.0 + 155.0 * static_cast<double>(random.uniform(at + 3));
    for (std::int64_t i = 0; i < height * width; ++i) {
      const double dy = static_cast<double>(i / width) - y;
      const double dx = static_cast<double>(i % width) - x;
      const double fall = 1.0 - std::sqrt(dy * dy + dx * dx) / radius;
      const double ink = std::round(peak * std::max(0.0, fall));
      pixels[i] = std::min(1.0F, pixels[i] + static_cast<float>(ink) / 255.0F);
    }
  }
}

// `first`: number of the first sample in the endless sequence that `seed` names. Vectors instead of images
// are filled with uniform values.
inline model::Batch synthetic_batch(const model::Graph& graph, std::int64_t rows, std::int64_t first,
                                    std::uint64_t seed = 7) {
  const base::Random random(seed, base::Stream::augmentation);
  model::Batch batch;
  batch.input.shape = graph.input_shape;
  batch.input.shape.insert(batch.input.shape.begin(), rows);
  batch.input.values.resize(static_cast<std::size_t>(model::element_count(batch.input.shape)));
  const bool image = graph.input_shape.size() == 3;
  const std::int64_t planes = rows * (image ? graph.input_shape[0] : 1);
  const std::int64_t plane = static_cast<std::int64_t>(batch.input.values.size()) / planes;
  for (std::int64_t i = 0; i < planes; ++i) {
    float* pixels = batch.input.values.data() + i * plane;
    const auto number = static_cast<std::uint64_t>(first * (planes / rows) + i);
    if (image) {
      draw_plane(pixels, graph.input_shape[1], graph.input_shape[2], random, number);
      continue;
    }
    for (std::int64_t j = 0; j < plane; ++j) {
      pixels[j] = random.uniform(number * static_cast<std::uint64_t>(plane) + static_cast<std::uint64_t>(j));
    }
  }
  const base::Random labels(seed + 1, base::Stream::augmentation);
  for (std::int64_t i = 0; i < rows; ++i) {
    batch.target.push_back(static_cast<std::int64_t>(
        labels.below(static_cast<std::uint64_t>(first + i), static_cast<std::uint64_t>(graph.class_count))));
  }
  return batch;
}

// Ten batches of `rows`, a partial one, and one batch beyond the 2000th sample, under a recipe that uses
// everything.
inline Work synthetic_work(const model::Graph& graph, std::int64_t rows, std::int64_t partial_rows = 0) {
  Work work;
  work.graph = graph;
  work.recipe.optimizer.momentum = 0.9;
  work.recipe.optimizer.weight_decay = 5e-4;
  work.recipe.batch = rows;
  for (std::int64_t i = 0; i < 10; ++i) {
    work.batches.push_back(synthetic_batch(graph, rows, i * rows));
  }
  if (partial_rows > 0) {
    work.partial = synthetic_batch(graph, partial_rows, 10 * rows);
  }
  work.distant.push_back({2048, synthetic_batch(graph, rows, 2048)});
  return work;
}

}  // namespace dlbench::gate::testing
