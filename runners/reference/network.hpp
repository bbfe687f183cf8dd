// What the op table builds into: weights, and for each batch size a program, which is a flat list of tasks.
//
// Activations are NHWC: oneDNN's blocked layouts would pad 20 channels to 32. Every place is read by one
// node.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "buffer.hpp"
#include "onednn.hpp"
#include "runner_sdk/cpp/layout.hpp"
#include "runner_sdk/cpp/lower.hpp"
#include "runner_sdk/cpp/session.hpp"

namespace reference {

// What one node wrote.
struct Place {
  std::shared_ptr<Buffer> values;
  std::shared_ptr<Buffer> gradient;  // null where nobody needs it: the input, and programs that only infer
  dlbench::model::Shape shape;       // canonical, without the batch extent
  bool channels_last = true;         // order of a [channels, height, width] place in memory
  std::optional<dlbench::sdk::Picture> flattened;  // channels-last picture that these features once were
  bool has_relu = false;                           // values are max(x, 0): the node behind was fused in
  bool masked_by_reader = false;  // the reader already zeroes the gradient where has_relu says so
  [[nodiscard]] std::int64_t width() const { return dlbench::model::element_count(shape); }
};

// A parameter with its momentum, both in the layout that its primitive asks for.
struct Weights {
  dlbench::sdk::Parameter parameter;
  dlbench::sdk::Layout layout;  // canonical -> order of `plain`
  dnnl::memory::desc plain;     // dense layout of this parameter for oneDNN
  dnnl::memory::desc desc;      // layout of the three buffers
  Buffer values;
  Buffer gradient;
  Buffer velocity;
  std::vector<Buffer> state = {};        // of optimizers that keep more than a velocity
  std::vector<float> state_starts = {};  // the value of each before the first step
  bool velocity_in_product = false;      // the matrix product adds the gradient into the velocity itself
  [[nodiscard]] std::size_t buffer_count() const { return desc.get_size() / sizeof(float); }
};

// Numbers of the present step.
struct StepNumbers {
  bool is_training = false;  // false while a program only evaluates, which the same tasks do
  float rate = 0.0F;
  float momentum = 0.0F;
  bool rate_inside = false;
  std::int64_t step = 0;          // number of this step since the last put, from 1
  float clip_factor = 1.0F;       // of every gradient
  double gradient_squares = 0.0;  // sum over all gradients so far, where their norm is clipped
  const std::int64_t* target = nullptr;
  const std::int64_t* tokens = nullptr;  // the present batch, where the graph's input holds tokens
  double loss = 0.0;
  // What a gradient is multiplied with when it enters the velocity, and the velocity when it leaves.
  [[nodiscard]] float into_velocity() const { return rate_inside ? rate : 1.0F; }
  [[nodiscard]] float out_of_velocity() const { return rate_inside ? 1.0F : rate; }
};

struct Task {
  std::string name;
  std::function<void()> run;
};

class Program;

class Network {
 public:
  // Builds the programs for a full batch and, if there is one, a partial batch. Throws sdk::Unsupported.
  explicit Network(const dlbench::sdk::Load& load);

  // The program for this number of rows; throws std::runtime_error when none was built.
  [[nodiscard]] Program& program(std::int64_t rows);
  [[nodiscard]] Weights& weights(const std::string& name) { return weights_.at(name); }
  // Makes the weights at the first call; later programs get the same. `desc`: the layout wanted for them.
  Weights& add_weights(const dlbench::sdk::Parameter& parameter, const dlbench::sdk::Layout& layout,
                       const dnnl::memory::desc& plain, const dnnl::memory::desc& desc);
  [[nodiscard]] bool has_weights(const std::string& name) const { return weights_.contains(name); }

  [[nodiscard]] std::map<std::string, Weights>& all_weights() { return weights_; }

  void put(const std::string& name, std::span<const float> canonical);
  void get(const std::string& name, std::span<float> canonical);

  [[nodiscard]] const dlbench::sdk::Load& load() const { return load_; }
  // An update that must wait for the gradients of all parameters; a second one of the same name is dropped.
  void put_off(Task update) { put_off_.try_emplace(update.name, std::move(update)); }
  // Around the tasks of one training step.
  void begin_step(double rate);
  void end_step();
  // Before the forward tasks of an evaluation.
  void begin_evaluation() { numbers_.is_training = false; }
  [[nodiscard]] StepNumbers& numbers() { return numbers_; }
  // What oneDNN chose, for `effective`.
  [[nodiscard]] std::vector<dlbench::sdk::Setting>& choices() { return choices_; }

 private:
  dlbench::sdk::Load load_;
  StepNumbers numbers_;
  std::map<std::string, Weights> weights_;
  std::map<std::int64_t, std::unique_ptr<Program>> programs_;
  std::vector<dlbench::sdk::Setting> choices_;
  std::map<std::string, Task> put_off_;
};

class Program {
 public:
  Program(Network& network, std::int64_t rows);

  // For the op table.
  [[nodiscard]] Network& network() { return network_; }
  [[nodiscard]] std::int64_t rows() const { return rows_; }
  [[nodiscard]] bool trains() const { return network_.load().mode == dlbench::sdk::Mode::train; }
  // A place with buffers of its own; a gradient only if `needs_gradient` and the program trains.
  Place* add_place(const dlbench::model::Shape& shape, bool needs_gradient);
  // The same buffers under another shape.
  Place* add_view(const Place& place, const dlbench::model::Shape& shape);
  // True when the only reader of `node` is a relu, which the node may then compute itself.
  [[nodiscard]] bool relu_follows(const dlbench::model::Node& node) const;
  void forward(std::string name, std::function<void()> run) {
    forward_.push_back({std::move(name), std::move(run)});
  }
  // Tasks of one node run in the order given, nodes in reverse order. Ignored when the program only infers.
  void backward(const std::vector<Task>& tasks);
  // A memory object over the input batch, wherever it lies.
  void follow_input(const dnnl::memory& memory) { input_memories_.push_back(memory); }
  // Features in the canonical order, where a flatten has left them in that of NHWC.
  Place* canonical(Place* place);
  // Turns a place into NHWC if it is not yet.
  Place* channels_last(Place* place);

  // For the session.
  void set_input(const float* input);
  void run_forward() const;
  void run_backward() const;
  [[nodiscard]] const Place& logits() const { return *logits_; }
  [[nodiscard]] std::vector<const Task*> tasks() const;

 private:
  Network& network_;
  std::int64_t rows_;
  std::deque<Place> places_;
  std::vector<Task> forward_;
  std::vector<std::vector<Task>> backward_;
  std::vector<dnnl::memory> input_memories_;
  Place* input_ = nullptr;
  Place* logits_ = nullptr;
};

}  // namespace reference
