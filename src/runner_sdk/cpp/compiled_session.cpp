#include "runner_sdk/cpp/compiled_session.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "runner_sdk/cpp/message.hpp"
#include "runner_sdk/cpp/unsupported.hpp"

namespace dlbench::sdk {
namespace {

model::Shape with_rows(std::int64_t rows, model::Shape sample) {
  sample.insert(sample.begin(), rows);
  return sample;
}

// The full batch first, then the partial one where there is one of another size.
std::vector<BatchShapes> shapes_for(const Load& load) {
  std::vector<BatchShapes> shapes;
  for (const std::int64_t rows : {load.batch, load.partial}) {
    if (rows > 0 && (shapes.empty() || rows != load.batch)) {
      shapes.push_back(
          {with_rows(rows, load.graph.input_shape), with_rows(rows, model::logits_shape(load.graph))});
    }
  }
  return shapes;
}

}  // namespace

CompiledSession::CompiledSession(const Load& load, WriteNetwork write,
                                 std::unique_ptr<CompiledNetwork> network)
    : graph_(load.graph),
      shapes_(shapes_for(load)),
      weights_(load.graph),
      write_(write),
      network_(std::move(network)) {
  if (load.mode != Mode::infer) {
    throw Unsupported("training");
  }
  compile();
  is_current_ = weights_.weights().empty();  // then nothing will be put
}

void CompiledSession::compile() {
  network_->compile(write_(graph_, weights_.weights()), shapes_);
}

void CompiledSession::put(const Parameter& parameter, ConstTensor values) {
  is_current_ = false;
  last_ = nullptr;
  if (weights_.put(parameter, values)) {
    compile();
    is_current_ = true;
  }
}

void CompiledSession::get(const Parameter& /*parameter*/, Tensor /*values*/) {
  throw Unsupported("reading parameters out of a compiled network");
}

void CompiledSession::step(const Batch& /*batch*/, double /*rate*/) {
  throw Unsupported("training");
}

double CompiledSession::loss() {
  throw Unsupported("training");
}

const BatchShapes& CompiledSession::shapes_of(std::int64_t rows) const {
  for (const BatchShapes& shapes : shapes_) {
    if (shapes.input.front() == rows) {
      return shapes;
    }
  }
  throw ProtocolError("nothing is compiled for a batch of " + std::to_string(rows) + " rows");
}

void CompiledSession::infer(const Batch& batch) {
  if (!is_current_) {
    throw ProtocolError("inference before all parameters are put");
  }
  const BatchShapes& shapes = shapes_of(batch.rows);
  last_ = nullptr;
  if (batch.tokens != nullptr) {
    network_->run({shapes, model::InputKind::tokens, batch.tokens});
  } else {
    network_->run({shapes, model::InputKind::real, batch.input});
  }
  last_ = &shapes;
}

void CompiledSession::outputs(Tensor logits) {
  if (last_ == nullptr) {
    throw ProtocolError("logits of a network that has not inferred");
  }
  const std::int64_t elements = model::element_count(last_->logits);
  DLBENCH_ASSERT(std::ssize(logits.values) == elements, "logits of another batch");
  std::copy_n(network_->logits(), elements, logits.values.begin());
}

std::vector<Setting> CompiledSession::effective() {
  return network_->effective();
}

}  // namespace dlbench::sdk
