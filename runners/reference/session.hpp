// The verbs of the runner on a built network.
#pragma once

#include <string>
#include <vector>

#include "averages.hpp"
#include "network.hpp"
#include "runner_sdk/cpp/serve.hpp"
#include "runner_sdk/cpp/session.hpp"

namespace reference {

class ReferenceSession : public dlbench::sdk::Session {
 public:
  explicit ReferenceSession(const dlbench::sdk::Load& load);

  void put(const dlbench::sdk::Parameter& parameter, dlbench::sdk::ConstTensor values) override;
  void get(const dlbench::sdk::Parameter& parameter, dlbench::sdk::Tensor values) override;
  void step(const dlbench::sdk::Batch& batch, double rate) override;
  double loss() override;
  void infer(const dlbench::sdk::Batch& batch) override;
  void outputs(dlbench::sdk::Tensor logits) override;
  std::vector<dlbench::sdk::Setting> effective() override;

  // For the profile: the program of a full batch with this batch set.
  [[nodiscard]] Program& prepare(const dlbench::sdk::Batch& batch, double rate);

 private:
  Network network_;
  Averages averages_;
  Program* last_ = nullptr;  // program of the last infer
};

[[nodiscard]] dlbench::sdk::Description describe();

}  // namespace reference
