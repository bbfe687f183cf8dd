// One network in a TensorFlow session.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "network.hpp"
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
  struct SessionDeleter {
    void operator()(TF_Session* session) const;
  };

  // The logits of the network as it trains or as it evaluates.
  Value add_network(const dlbench::model::Graph& graph, bool trains);
  void add_training(const Value& logits, const dlbench::model::Recipe& recipe);
  void start(int threads);
  // Lets TensorFlow make its executors and kernels for this many rows, on zeros.
  void warm(std::int64_t rows);
  void store(Variable& variable, const Tensor& tensor);
  [[nodiscard]] Tensor input_of(const dlbench::sdk::Batch& batch);
  // One run of the session. Returns what `fetch` asks for, if anything.
  Tensor run(std::span<const TF_Output> feeds, std::span<TF_Tensor* const> values, const TF_Output* fetch,
             std::span<TF_Operation* const> targets);

  Network network_;
  TF_Output logits_{};
  TF_Output loss_{};                    // the rest up to updates_: in mode train only
  std::vector<TF_Output> train_feeds_;  // input, target, rate
  std::vector<TF_Operation*> updates_;
  std::unique_ptr<TF_Session, SessionDeleter> session_;
  Extents feed_shape_;  // extent 0 is the batch
  std::int64_t targets_per_sample_;
  Tensor rate_value_;
  Tensor loss_value_;
  Tensor logits_value_;
  Status status_;
};

}  // namespace runner
