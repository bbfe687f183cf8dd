// LeNet, its loss, its gradients and its optimizer as one TensorFlow graph. Pictures are NHWC, kernels HWIO,
// dense weights [in, out].
#pragma once

#include <string>
#include <vector>

#include "graph.hpp"

namespace hand {

struct Variable {
  Shape shape;
  TF_Output handle;
  TF_Output value;
  TF_Output velocity;
};

class LeNet {
 public:
  LeNet();

  [[nodiscard]] TF_Graph* graph() const { return graph_; }
  [[nodiscard]] TF_Output input() const { return input_; }
  [[nodiscard]] TF_Output target() const { return target_; }
  [[nodiscard]] TF_Output loss() const { return loss_; }
  // The operations that make a run a step.
  [[nodiscard]] const std::vector<TF_Operation*>& updates() const { return updates_; }

  // Runs once: parameters from `values` ([out, in, height, width], [out], …), velocities zero.
  void initialise(TF_Session* session, const float* values);

 private:
  TF_Output apply(const char* type, std::initializer_list<TF_Output> inputs);
  TF_Output integers(const std::vector<std::int32_t>& values);
  TF_Output scalar(float value);
  TF_Output variable(const std::string& name, const Shape& shape);
  void add_variable(const std::string& name, const Shape& shape);
  TF_Output convolve(TF_Output x, std::size_t weight);
  TF_Output dense(TF_Output x, std::size_t weight);
  TF_Output max_pool(TF_Output x);
  // From the gradient of a layer's result to that of its input; they add the updates of the layer's
  // variables.
  TF_Output max_pool_gradient(TF_Output x, TF_Output y, TF_Output gradient);
  void convolve_gradient(TF_Output x, std::size_t weight, TF_Output gradient);
  TF_Output convolve_input_gradient(TF_Output x, std::size_t weight, TF_Output gradient);
  TF_Output dense_gradient(TF_Output x, std::size_t weight, TF_Output gradient);
  void update(std::size_t place, TF_Output gradient);
  void assign(TF_Session* session, TF_Output handle, const Shape& shape, const float* values);

  TF_Graph* graph_ = TF_NewGraph();
  std::vector<Variable> variables_;  // weight and bias of each layer in turn
  TF_Output input_{};
  TF_Output target_{};
  TF_Output loss_{};
  TF_Output rate_{};
  TF_Output momentum_{};
  std::vector<TF_Operation*> updates_;
};

}  // namespace hand
