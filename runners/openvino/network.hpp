// One network compiled by OpenVINO's CPU plug-in, once for each batch size.
#pragma once

#include <cstdint>
#include <map>
#include <openvino/openvino.hpp>
#include <string>
#include <vector>

#include "runner_sdk/cpp/compiled_session.hpp"

namespace runner {

class Network final : public dlbench::sdk::CompiledNetwork {
 public:
  explicit Network(int threads) : threads_(threads) {}

  void compile(const std::string& file, const std::vector<dlbench::sdk::BatchShapes>& shapes) override;
  void run(const dlbench::sdk::BatchInput& input) override;
  const float* logits() override;
  std::vector<dlbench::sdk::Setting> effective() override;

 private:
  struct Compiled {
    ov::CompiledModel network;
    ov::InferRequest request;
  };

  int threads_;
  ov::Core core_;
  std::map<std::int64_t, Compiled> by_rows_;
  ov::InferRequest* last_ = nullptr;
};

}  // namespace runner
