// One network in libtorch's eager mode.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "optimizer.hpp"
#include "program.hpp"
#include "runner_sdk/cpp/session.hpp"

namespace runner {

class Session : public dlbench::sdk::Session {
 public:
  explicit Session(const dlbench::sdk::Load& load);

  void put(const dlbench::sdk::Parameter& parameter, dlbench::sdk::ConstTensor values) override;
  void get(const dlbench::sdk::Parameter& parameter, dlbench::sdk::Tensor values) override;
  void step(const dlbench::sdk::Batch& batch, double rate) override;
  double loss() override;
  void infer(const dlbench::sdk::Batch& batch) override;
  void outputs(dlbench::sdk::Tensor logits) override;
  std::vector<dlbench::sdk::Setting> effective() override;

 private:
  [[nodiscard]] torch::Tensor tensor(const std::string& parameter) const;
  [[nodiscard]] torch::Tensor input_of(const dlbench::sdk::Batch& batch) const;
  torch::Tensor forward(torch::Tensor input);

  std::vector<std::int64_t> input_shape_;  // extent 0 is the batch
  std::int64_t targets_per_sample_;
  std::shared_ptr<Network> network_ = std::make_shared<Network>();
  Value logits_value_ = 0;
  std::vector<torch::Tensor> values_;     // of the forward pass under way
  std::vector<std::vector<Value>> dead_;  // per call, values that nothing reads after it
  std::unique_ptr<Optimizer> optimizer_;  // none in mode infer
  torch::Tensor loss_;
  torch::Tensor logits_;
};

}  // namespace runner
