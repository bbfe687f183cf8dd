#include "gate/sample_work.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "base/philox.hpp"

namespace dlbench::gate {
namespace {

constexpr std::int64_t batch_count = 10;
constexpr std::int64_t distant_sample = 2048;

// Three soft blobs per plane; everything else is exactly zero.
void draw_plane(float* pixels, std::int64_t height, std::int64_t width, const base::Random& random,
                std::uint64_t number) {
  for (std::uint64_t blob = 0; blob < 3; ++blob) {
    const std::uint64_t at = (number * 3 + blob) * 4;
    const double y = static_cast<double>(height) * (0.2 + 0.6 * static_cast<double>(random.uniform(at)));
    const double x = static_cast<double>(width) * (0.2 + 0.6 * static_cast<double>(random.uniform(at + 1)));
    const double radius =
        1.0 + 0.15 * static_cast<double>(height) * static_cast<double>(random.uniform(at + 2));
    const double peak = 100.0 + 155.0 * static_cast<double>(random.uniform(at + 3));
    for (std::int64_t i = 0; i < height * width; ++i) {
      const std::int64_t row = i / width;
      const double dy = static_cast<double>(row) - y;
      const double dx = static_cast<double>(i % width) - x;
      const double fall = 1.0 - std::sqrt(dy * dy + dx * dx) / radius;
      const double ink = std::round(peak * std::max(0.0, fall));
      pixels[i] = std::min(1.0F, pixels[i] + static_cast<float>(ink) / 255.0F);
    }
  }
}

model::Tensor sample_input(const model::Graph& graph, std::int64_t rows, std::int64_t first,
                           std::uint64_t seed) {
  const base::Random random(seed, base::Stream::augmentation);
  const model::Shape& sample = graph.input_shape;
  model::Tensor input;
  input.shape = sample;
  input.shape.insert(input.shape.begin(), rows);
  input.values.resize(static_cast<std::size_t>(model::element_count(input.shape)));
  const bool image = sample.size() == 3;
  const std::int64_t planes = image ? sample[0] : 1;  // of one sample
  const std::int64_t plane = model::element_count(sample) / planes;
  for (std::int64_t i = 0; i < rows * planes; ++i) {
    float* const pixels = input.values.data() + i * plane;
    const auto number = static_cast<std::uint64_t>(first * planes + i);
    if (image) {
      draw_plane(pixels, sample[1], sample[2], random, number);
      continue;
    }
    for (std::int64_t j = 0; j < plane; ++j) {
      const std::uint64_t at = number * static_cast<std::uint64_t>(plane) + static_cast<std::uint64_t>(j);
      pixels[j] = model::input_kind(graph) == model::InputKind::tokens
                      ? static_cast<float>(random.below(at, static_cast<std::uint64_t>(graph.vocabulary)))
                      : random.uniform(at);
    }
  }
  return input;
}

}  // namespace

model::Batch sample_batch(const model::Graph& graph, std::int64_t rows, std::int64_t first,
                          std::uint64_t seed) {
  model::Batch batch{sample_input(graph, rows, first, seed), {}};
  const base::Random labels(seed + 1, base::Stream::augmentation);
  const std::int64_t targets = graph.targets_per_sample;
  for (std::int64_t i = first * targets; i < (first + rows) * targets; ++i) {
    batch.target.push_back(static_cast<std::int64_t>(
        labels.below(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(graph.class_count))));
  }
  return batch;
}

Work sample_work(const model::Graph& graph, std::int64_t rows, std::int64_t partial_rows) {
  Work work;
  work.graph = graph;
  work.recipe.optimizer.momentum = 0.9;
  work.recipe.optimizer.weight_decay = 5e-4;
  work.recipe.batch = rows;
  for (std::int64_t i = 0; i < batch_count; ++i) {
    work.batches.push_back(sample_batch(graph, rows, i * rows));
  }
  if (partial_rows > 0) {
    work.partial = sample_batch(graph, partial_rows, batch_count * rows);
  }
  work.distant.push_back({distant_sample, sample_batch(graph, rows, distant_sample)});
  return work;
}

}  // namespace dlbench::gate
