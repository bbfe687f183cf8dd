// One network in an ONNX Runtime session.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "api.hpp"
#include "runner_sdk/cpp/collected_weights.hpp"
#include "runner_sdk/cpp/session.hpp"

namespace runner {

template <class Handle>
using Owned = std::unique_ptr<Handle, void (*)(Handle*)>;

class Session : public dlbench::sdk::Session {
 public:
  explicit Session(const dlbench::sdk::Load& load);

  void put(const dlbench::sdk::Parameter& parameter, dlbench::sdk::ConstTensor values) override;
  // Weights are folded into the compiled network: there is nothing to read back.
  void get(const dlbench::sdk::Parameter& parameter, dlbench::sdk::Tensor values) override;
  void step(const dlbench::sdk::Batch& batch, double rate) override;
  double loss() override;
  void infer(const dlbench::sdk::Batch& batch) override;
  void outputs(dlbench::sdk::Tensor logits) override;
  std::vector<dlbench::sdk::Setting> effective() override;

 private:
  void compile();
  [[nodiscard]] Owned<ort::Value> tensor(void* data, std::int64_t rows, const dlbench::model::Shape& sample,
                                         int element_type) const;

  dlbench::model::Graph graph_;
  int threads_;
  dlbench::sdk::CollectedWeights weights_;
  Owned<ort::Env> env_;
  std::size_t other_threads_;  // of the process, before the session made its own; the environment has one
  Owned<ort::MemoryInfo> memory_;
  Owned<ort::SessionHandle> session_;
  std::vector<float> logits_;  // of the largest batch
};

}  // namespace runner
