// TensorFlow's C API with owners and exceptions: statuses, tensors, and operations added to a graph.
#pragma once

#include <tensorflow/c/c_api.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace runner {

struct TensorDeleter {
  void operator()(TF_Tensor* tensor) const { TF_DeleteTensor(tensor); }
};
using Tensor = std::unique_ptr<TF_Tensor, TensorDeleter>;
using Extents = std::vector<std::int64_t>;

// A tensor of TensorFlow's own memory, not filled.
[[nodiscard]] Tensor allocate(TF_DataType type, const Extents& shape);
// A tensor that reads `data` in place; the memory must stay as long as the tensor.
[[nodiscard]] Tensor alias(TF_DataType type, const Extents& shape, const void* data);

// A status to pass to the API; `check` throws what TensorFlow says when the call failed.
class Status {
 public:
  Status() : status_(TF_NewStatus()) {}
  Status(const Status&) = delete;
  Status& operator=(const Status&) = delete;
  ~Status() { TF_DeleteStatus(status_); }

  [[nodiscard]] TF_Status* get() const { return status_; }
  void check() const;

 private:
  TF_Status* status_;
};

// Owns a graph and names what is added to it.
class Graph {
 public:
  Graph() : graph_(TF_NewGraph()) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { TF_DeleteGraph(graph_); }

  [[nodiscard]] TF_Graph* get() const { return graph_; }
  [[nodiscard]] std::string next_name(const std::string& type);

  // -1 is an extent that is only known when the graph runs.
  TF_Output placeholder(TF_DataType type, const Extents& shape);
  TF_Output constant(float value);
  TF_Output real(double value);  // in double precision
  TF_Output constant(const Extents& shape, const std::vector<float>& values);
  TF_Output integers(const Extents& values);  // a vector of int32
  TF_Output integer(std::int32_t value);
  // The simplest kind: inputs, no attributes, one result.
  TF_Output apply(const char* type, const std::vector<TF_Output>& inputs);

 private:
  TF_Graph* graph_;
  std::int64_t count_ = 0;
};

// One operation while it is being described. Inputs come in the order of TensorFlow's definition.
class Op {
 public:
  Op(Graph& graph, const char* type);

  Op& input(TF_Output input);
  Op& list(const std::vector<TF_Output>& inputs);
  // Runs only when this one has run.
  Op& after(TF_Operation* operation);
  Op& type(const char* name, TF_DataType value);
  Op& text(const char* name, const std::string& value);
  Op& integer(const char* name, std::int64_t value);
  Op& integers(const char* name, const Extents& values);
  Op& number(const char* name, double value);
  Op& flag(const char* name, bool value);
  Op& shape(const char* name, const Extents& value);
  Op& tensor(const char* name, const Tensor& value);

  TF_Operation* finish();
  // finish() where the first result is wanted.
  TF_Output result() { return {finish(), 0}; }

 private:
  TF_OperationDescription* description_;
};

}  // namespace runner
