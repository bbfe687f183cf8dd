// One loaded network: the verbs that dlbench calls.
#pragma once

#include <vector>

#include "network.hpp"
#include "runner_sdk/cpp/session.hpp"
#include "sgd.hpp"

namespace template_runner {

class TemplateSession : public dlbench::sdk::Session {
 public:
  // Throws sdk::Unsupported when the work asks for more than one thread or has an op that is not in the
  // table.
  explicit TemplateSession(const dlbench::sdk::Load& load);

  void put(const dlbench::sdk::Parameter& parameter, dlbench::sdk::ConstTensor values) override;
  void get(const dlbench::sdk::Parameter& parameter, dlbench::sdk::Tensor values) override;
  void step(const dlbench::sdk::Batch& batch, double rate) override;
  double loss() override;
  void infer(const dlbench::sdk::Batch& batch) override;
  void outputs(dlbench::sdk::Tensor logits) override;
  std::vector<dlbench::sdk::Setting> effective() override;

 private:
  void score(const dlbench::sdk::Batch& batch);

  Network network_;
  std::size_t logits_;  // place
  dlbench::model::Optimizer optimizer_;
  Update update_;
  double loss_ = 0.0;
};

}  // namespace template_runner
