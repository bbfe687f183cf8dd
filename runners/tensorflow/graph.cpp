#include "graph.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace runner {

namespace {

std::size_t byte_count(TF_DataType type, const Extents& shape) {
  const auto elements = std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
  return static_cast<std::size_t>(elements) * TF_DataTypeSize(type);
}

void keep_memory(void* /*data*/, std::size_t /*length*/, void* /*argument*/) {}

}  // namespace

Tensor allocate(TF_DataType type, const Extents& shape) {
  Tensor tensor(
      TF_AllocateTensor(type, shape.data(), static_cast<int>(shape.size()), byte_count(type, shape)));
  if (!tensor) {
    throw std::bad_alloc();
  }
  return tensor;
}

Tensor alias(TF_DataType type, const Extents& shape, const void* data) {
  // The API wants a mutable pointer; nothing writes to what is fed.
  return Tensor(TF_NewTensor(type, shape.data(), static_cast<int>(shape.size()), const_cast<void*>(data),
                             byte_count(type, shape), keep_memory, nullptr));
}

void Status::check() const {
  if (TF_GetCode(status_) != TF_OK) {
    throw std::runtime_error(TF_Message(status_));
  }
}

std::string Graph::next_name(const std::string& type) {
  return type + "_" + std::to_string(count_++);
}

TF_Output Graph::placeholder(TF_DataType type, const Extents& shape) {
  return Op(*this, "Placeholder").type("dtype", type).shape("shape", shape).result();
}

TF_Output Graph::constant(float value) {
  return constant({}, {value});
}

TF_Output Graph::real(double value) {
  const Tensor tensor = allocate(TF_DOUBLE, {});
  *static_cast<double*>(TF_TensorData(tensor.get())) = value;
  return Op(*this, "Const").type("dtype", TF_DOUBLE).tensor("value", tensor).result();
}

TF_Output Graph::constant(const Extents& shape, const std::vector<float>& values) {
  const Tensor tensor = allocate(TF_FLOAT, shape);
  std::ranges::copy(values, static_cast<float*>(TF_TensorData(tensor.get())));
  return Op(*this, "Const").type("dtype", TF_FLOAT).tensor("value", tensor).result();
}

TF_Output Graph::integers(const Extents& values) {
  const Tensor tensor = allocate(TF_INT32, {static_cast<std::int64_t>(values.size())});
  std::ranges::transform(values, static_cast<std::int32_t*>(TF_TensorData(tensor.get())),
                         [](std::int64_t value) { return static_cast<std::int32_t>(value); });
  return Op(*this, "Const").type("dtype", TF_INT32).tensor("value", tensor).result();
}

TF_Output Graph::integer(std::int32_t value) {
  const Tensor tensor = allocate(TF_INT32, {});
  *static_cast<std::int32_t*>(TF_TensorData(tensor.get())) = value;
  return Op(*this, "Const").type("dtype", TF_INT32).tensor("value", tensor).result();
}

TF_Output Graph::apply(const char* type, const std::vector<TF_Output>& inputs) {
  Op op(*this, type);
  for (const TF_Output input : inputs) {
    op.input(input);
  }
  return op.result();
}

Op::Op(Graph& graph, const char* type)
    : description_(TF_NewOperation(graph.get(), type, graph.next_name(type).c_str())) {}

Op& Op::input(TF_Output input) {
  TF_AddInput(description_, input);
  return *this;
}

Op& Op::list(const std::vector<TF_Output>& inputs) {
  TF_AddInputList(description_, inputs.data(), static_cast<int>(inputs.size()));
  return *this;
}

Op& Op::after(TF_Operation* operation) {
  TF_AddControlInput(description_, operation);
  return *this;
}

Op& Op::type(const char* name, TF_DataType value) {
  TF_SetAttrType(description_, name, value);
  return *this;
}

Op& Op::text(const char* name, const std::string& value) {
  TF_SetAttrString(description_, name, value.data(), value.size());
  return *this;
}

Op& Op::integer(const char* name, std::int64_t value) {
  TF_SetAttrInt(description_, name, value);
  return *this;
}

Op& Op::integers(const char* name, const Extents& values) {
  TF_SetAttrIntList(description_, name, values.data(), static_cast<int>(values.size()));
  return *this;
}

Op& Op::number(const char* name, double value) {
  TF_SetAttrFloat(description_, name, static_cast<float>(value));
  return *this;
}

Op& Op::flag(const char* name, bool value) {
  TF_SetAttrBool(description_, name, value ? 1 : 0);
  return *this;
}

Op& Op::shape(const char* name, const Extents& value) {
  TF_SetAttrShape(description_, name, value.data(), static_cast<int>(value.size()));
  return *this;
}

Op& Op::tensor(const char* name, const Tensor& value) {
  const Status status;
  TF_SetAttrTensor(description_, name, value.get(), status.get());
  status.check();
  return *this;
}

TF_Operation* Op::finish() {
  const Status status;
  TF_Operation* operation = TF_FinishOperation(description_, status.get());
  status.check();
  return operation;
}

}  // namespace runner
