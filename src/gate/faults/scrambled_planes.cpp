#include <cstddef>
#include <vector>

#include "gate/faults/faults.hpp"
#include "gate/faults/mutation.hpp"

namespace dlbench::gate {
namespace {

std::vector<float> channels_last(const model::Tensor& images) {
  const auto channels = static_cast<std::size_t>(images.shape[1]);
  const auto plane = static_cast<std::size_t>(images.shape[2] * images.shape[3]);
  std::vector<float> values(images.values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t image = i / (channels * plane);
    const std::size_t channel = i / plane % channels;
    const std::size_t pixel = i % plane;
    values[(image * plane + pixel) * channels + channel] = images.values[i];
  }
  return values;
}

std::optional<FaultyWork> apply(const Experiment& experiment) {
  const model::Shape& shape = experiment.graph.input_shape;
  if (shape.size() != 3 || shape[0] < 2) {
    return std::nullopt;
  }
  FaultyWork work{experiment, {}};
  for (model::Batch& batch : work.experiment.batches) {
    batch.input.values = channels_last(batch.input);
  }
  return work;
}

}  // namespace

Fault scrambled_planes() {
  return {"scrambled_planes",
          "channel-last pixels are read as planes (an image reshaped without a transpose)", "three_planes",
          apply};
}

}  // namespace dlbench::gate
