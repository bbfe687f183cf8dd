// The session of every framework that compiles a network with its weights inside and then only infers. What
// is the framework's own stands behind CompiledNetwork.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/graph.hpp"
#include "model/tensor.hpp"
#include "runner_sdk/cpp/collected_weights.hpp"
#include "runner_sdk/cpp/session.hpp"

namespace dlbench::sdk {

// Shapes of one batch size; the rows come first.
struct BatchShapes {
  model::Shape input;
  model::Shape logits;
};

// What one step reads. The memory is the batch's own, so it may be aliased and must not be written to.
struct BatchInput {
  const BatchShapes& shapes;  // one of those that were compiled
  model::InputKind kind;
  const void* data;  // row-major: float, or std::int64_t where the kind is tokens
};

// One network in the framework. Any exception of these functions becomes an error reply.
class CompiledNetwork {
 public:
  CompiledNetwork() = default;
  CompiledNetwork(const CompiledNetwork&) = delete;
  CompiledNetwork& operator=(const CompiledNetwork&) = delete;
  virtual ~CompiledNetwork() = default;

  // Compiles the network in `file` (its bytes) for batches of these shapes, in place of what was compiled
  // before.
  virtual void compile(const std::string& file, const std::vector<BatchShapes>& shapes) = 0;
  // TIMED: forward. The logits are there when it returns.
  virtual void run(const BatchInput& input) = 0;
  // Of the last run, row-major in the shape that its `shapes` say; valid until the next run or compile.
  [[nodiscard]] virtual const float* logits() = 0;
  // As Session::effective; asked for once something is compiled.
  [[nodiscard]] virtual std::vector<Setting> effective() = 0;
};

// Writes a network in a format that the framework reads; onnx::to_onnx is one. An argument, so that a runner
// needs the libraries of its own format only.
using WriteNetwork = std::string (*)(const model::Graph& graph, const model::Weights& weights);

class CompiledSession final : public Session {
 public:
  // Compiles at once, with zeros for weights, so that build time is spent in `load`. Throws Unsupported where
  // the load is for training.
  CompiledSession(const Load& load, WriteNetwork write, std::unique_ptr<CompiledNetwork> network);

  // Compiles anew with the parameter that completes a round of all. Asserts name and size.
  void put(const Parameter& parameter, ConstTensor values) override;
  // Throws Unsupported: weights are folded into what was compiled, so there is nothing to read back.
  void get(const Parameter& parameter, Tensor values) override;
  // These two throw Unsupported.
  void step(const Batch& batch, double rate) override;
  double loss() override;
  // Throws ProtocolError before all parameters are put, or when a put failed since, and for a number of rows
  // that was not compiled.
  void infer(const Batch& batch) override;
  // Throws ProtocolError where nothing was inferred with the present parameters.
  void outputs(Tensor logits) override;
  std::vector<Setting> effective() override;

 private:
  void compile();
  [[nodiscard]] const BatchShapes& shapes_of(std::int64_t rows) const;

  model::Graph graph_;
  std::vector<BatchShapes> shapes_;
  CollectedWeights weights_;
  WriteNetwork write_;
  std::unique_ptr<CompiledNetwork> network_;
  bool is_current_ = false;            // compiled with all parameters, and none was put since
  const BatchShapes* last_ = nullptr;  // of the last infer
};

}  // namespace dlbench::sdk
