// One network compiled by OpenVINO's CPU plug-in, once for each batch size.
#pragma once

#include <cstdint>
#include <map>
#include <openvino/openvino.hpp>
#include <vector>

#include "runner_sdk/cpp/collected_weights.hpp"
#include "runner_sdk/cpp/session.hpp"

namespace runner {

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

  struct Compiled {
    ov::CompiledModel network;
    ov::InferRequest request;
  };

  dlbench::model::Graph graph_;
  int threads_;
  dlbench::sdk::CollectedWeights weights_;
  ov::Core core_;
  std::map<std::int64_t, Compiled> by_rows_;
  ov::InferRequest* last_ = nullptr;
};

}  // namespace runner
