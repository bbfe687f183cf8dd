// The "framework" of this template: layers in order, each reading one place and writing the next, in plain
// C++. In a real runner this file is the framework's own library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runner_sdk/cpp/layout.hpp"
#include "runner_sdk/cpp/session.hpp"

namespace template_runner {

// What one layer wrote: `width` numbers per row, and the gradient of the loss with respect to them.
struct Place {
  std::size_t width = 0;
  std::vector<float> values;
  std::vector<float> gradient;
};

// A parameter as this runner keeps it: in its own layout.
struct Weights {
  dlbench::sdk::Parameter parameter;
  dlbench::sdk::Layout layout;
  std::vector<float> values;
  std::vector<float> gradient;
  std::vector<float> velocity;  // of momentum
};

class Layer {
 public:
  Layer() = default;
  Layer(const Layer&) = delete;
  Layer& operator=(const Layer&) = delete;
  virtual ~Layer() = default;
  virtual void forward(std::size_t rows, const Place& in, Place& out) = 0;
  // Adds to in.gradient, because several layers may read one place.
  virtual void backward(std::size_t rows, Place& in, const Place& out) = 0;
};

class Network {
 public:
  Network(std::size_t input_width, std::size_t rows);

  // Adds a layer that reads place `in`; returns the place it writes.
  std::size_t add(std::unique_ptr<Layer> layer, std::size_t in, std::size_t out_width);
  // The address stays valid as long as the network.
  Weights* add_weights(const dlbench::sdk::Parameter& parameter, const dlbench::sdk::Layout& layout);

  [[nodiscard]] std::size_t width(std::size_t place) const { return places_[place].width; }
  [[nodiscard]] Place& place(std::size_t index) { return places_[index]; }
  [[nodiscard]] Weights& weights(const std::string& name);
  [[nodiscard]] const std::vector<std::unique_ptr<Weights>>& all_weights() const { return weights_; }

  void forward(const float* input, std::size_t rows);
  // Starts from the gradient that the caller left in place `from`.
  void backward(std::size_t from, std::size_t rows);
  void clear_gradients();

 private:
  struct Step {
    std::unique_ptr<Layer> layer;
    std::size_t in;
    std::size_t out;
  };

  std::size_t rows_;  // of the full batch: everything is allocated once
  std::vector<Place> places_;
  std::vector<Step> steps_;
  std::vector<std::unique_ptr<Weights>> weights_;
};

}  // namespace template_runner
