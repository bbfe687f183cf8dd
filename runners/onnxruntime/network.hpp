// One network in an ONNX Runtime session.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api.hpp"
#include "runner_sdk/cpp/compiled_session.hpp"

namespace runner {

template <class Handle>
using Owned = std::unique_ptr<Handle, void (*)(Handle*)>;

// One session serves all batch sizes: the file leaves the batch extent open.
class Network final : public dlbench::sdk::CompiledNetwork {
 public:
  explicit Network(int threads);

  void compile(const std::string& file, const std::vector<dlbench::sdk::BatchShapes>& shapes) override;
  void run(const dlbench::sdk::BatchInput& input) override;
  const float* logits() override { return logits_.data(); }
  std::vector<dlbench::sdk::Setting> effective() override;

 private:
  // On memory that is there already and stays the caller's.
  [[nodiscard]] Owned<ort::Value> tensor(void* data, const dlbench::model::Shape& shape,
                                         int element_type) const;

  int threads_;
  Owned<ort::Env> env_;
  std::size_t other_threads_;  // of the process, before the session made its own; the environment has one
  Owned<ort::MemoryInfo> memory_;
  Owned<ort::SessionHandle> session_;
  std::vector<float> logits_;  // of the largest batch
};

}  // namespace runner
