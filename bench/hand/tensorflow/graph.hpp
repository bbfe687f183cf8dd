// What a user of TensorFlow's C API writes first: a shorter way to add operations to a graph.
#pragma once

#include <tensorflow/c/c_api.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace hand {

using Shape = std::vector<std::int64_t>;

inline std::int64_t element_count(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

inline void check(const TF_Status* status) {
  if (TF_GetCode(status) != TF_OK) {
    throw std::runtime_error(TF_Message(status));
  }
}

// A tensor of TensorFlow's own memory.
template <class T>
TF_Tensor* copied(TF_DataType type, const Shape& shape, const T* values) {
  const std::int64_t count = element_count(shape);
  TF_Tensor* tensor = TF_AllocateTensor(type, shape.data(), static_cast<int>(shape.size()),
                                        static_cast<std::size_t>(count) * sizeof(T));
  std::copy_n(values, count, static_cast<T*>(TF_TensorData(tensor)));
  return tensor;
}

// A tensor that reads `values` where they are.
template <class T>
TF_Tensor* wrapped(TF_DataType type, const Shape& shape, T* values) {
  const auto keep = [](void* /*data*/, std::size_t /*length*/, void* /*argument*/) {};
  return TF_NewTensor(type, shape.data(), static_cast<int>(shape.size()), values,
                      static_cast<std::size_t>(element_count(shape)) * sizeof(T), keep, nullptr);
}

// An operation that is being described.
class Op {
 public:
  Op(TF_Graph* graph, const char* type, std::initializer_list<TF_Output> inputs = {})
      : status_(TF_NewStatus()), description_(TF_NewOperation(graph, type, next_name(type).c_str())) {
    for (const TF_Output input : inputs) {
      TF_AddInput(description_, input);
    }
  }

  Op& type(const char* name, TF_DataType value) {
    TF_SetAttrType(description_, name, value);
    return *this;
  }
  Op& text(const char* name, const std::string& value) {
    TF_SetAttrString(description_, name, value.data(), value.size());
    return *this;
  }
  Op& flag(const char* name) {
    TF_SetAttrBool(description_, name, 1);
    return *this;
  }
  Op& integers(const char* name, const Shape& values) {
    TF_SetAttrIntList(description_, name, values.data(), static_cast<int>(values.size()));
    return *this;
  }
  Op& shape(const char* name, const Shape& value) {
    TF_SetAttrShape(description_, name, value.data(), static_cast<int>(value.size()));
    return *this;
  }
  Op& tensor(const char* name, TF_Tensor* value) {
    TF_SetAttrTensor(description_, name, value, status_);
    check(status_);
    return *this;
  }

  TF_Operation* finish() {
    TF_Operation* operation = TF_FinishOperation(description_, status_);
    check(status_);
    TF_DeleteStatus(status_);
    return operation;
  }
  // Its first output.
  TF_Output result() { return {finish(), 0}; }

 private:
  static std::string next_name(const std::string& type) {
    static int count = 0;
    return type + "_" + std::to_string(count++);
  }

  TF_Status* status_;
  TF_OperationDescription* description_;
};

}  // namespace hand
