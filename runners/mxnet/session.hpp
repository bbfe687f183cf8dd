// One network in MXNet.
#pragma once

#include <memory>
#include <vector>

#include "executors.hpp"
#include "optimizer.hpp"
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
  void drain() override;
  std::vector<dlbench::sdk::Setting> effective() override;

 private:
  [[nodiscard]] Executors& executors(std::int64_t rows);
  [[nodiscard]] const Array& array(const std::string& parameter) const;

  dlbench::model::Graph work_;
  Network network_;
  std::unique_ptr<Optimizer> optimizer_;  // none in mode infer
  std::vector<Executors> sizes_;          // the full batch, and the partial one if there is one
  Executors* last_ = nullptr;
};

}  // namespace runner
