// A runner without a framework: it accepts every graph and computes nothing, so what is measured is the seam
// alone.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/op_spec.hpp"
#include "model/optimizer_spec.hpp"
#include "runner_sdk/cpp/serve.hpp"

namespace {

namespace sdk = dlbench::sdk;

class NullSession : public sdk::Session {
 public:
  explicit NullSession(const sdk::Load& load)
      : loss_(std::log(static_cast<double>(load.graph.class_count))), threads_(load.threads) {}

  void put(const sdk::Parameter& parameter, sdk::ConstTensor values) override {
    held_[parameter.name].assign(values.values.begin(), values.values.end());
  }

  void get(const sdk::Parameter& parameter, sdk::Tensor values) override {
    std::ranges::copy(held_.at(parameter.name), values.values.begin());
  }

  void step(const sdk::Batch& /*batch*/, double /*rate*/) override {}
  double loss() override { return loss_; }
  void infer(const sdk::Batch& /*batch*/) override {}
  void outputs(sdk::Tensor logits) override { std::ranges::fill(logits.values, 0.0F); }

  std::vector<sdk::Setting> effective() override {
    return {{"threads", std::to_string(threads_), "no threads are made"}};
  }

 private:
  double loss_;  // of a guess: every class equally likely
  int threads_;
  std::map<std::string, std::vector<float>> held_;
};

}  // namespace

int main() {
  sdk::Description description;
  description.runner = "null-cpp";
  description.framework = "none";
  description.version = "1";
  description.build = "no framework: measures the cost of the seam";
  for (const dlbench::model::OpSpec& op : dlbench::model::builtin_ops()) {
    description.ops.push_back(op.name);
  }
  for (const dlbench::model::OptimizerSpec& optimizer : dlbench::model::builtin_optimizers()) {
    description.optimizers.push_back(optimizer.name);
  }
  return sdk::serve(description, [](const sdk::Load& load) { return std::make_unique<NullSession>(load); });
}
