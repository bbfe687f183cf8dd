// LeNet as an MXNet symbol that ends in its loss, bound to arrays. All layouts are canonical.
#pragma once

#include <cstdint>
#include <vector>

#include "api.hpp"

namespace hand {

class LeNet {
 public:
  // `values`: the parameters in the network's order.
  explicit LeNet(const float* values);

  // Returns before the work is done, but has read the batch.
  void step(const float* input, const std::int64_t* target);
  // Of the last step's batch, before its update.
  [[nodiscard]] float loss() const;

 private:
  struct Parameter {
    const char* name;
    Shape shape;
    NDArrayHandle value;
    NDArrayHandle gradient;
    NDArrayHandle velocity;
  };

  void bind(SymbolHandle symbol);
  void update(Parameter& parameter);

  std::vector<Parameter> parameters_;
  NDArrayHandle input_;
  NDArrayHandle target_;
  ExecutorHandle executor_ = nullptr;
  NDArrayHandle loss_ = nullptr;
  AtomicSymbolCreator optimizer_ = find_operator("sgd_mom_update");
};

}  // namespace hand
