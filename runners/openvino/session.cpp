#include "session.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include "onnx/export.hpp"
#include "runner_sdk/cpp/unsupported.hpp"

namespace runner {
namespace {

namespace sdk = dlbench::sdk;

ov::Shape with_rows(std::int64_t rows, const dlbench::model::Shape& sample) {
  ov::Shape shape = {static_cast<std::size_t>(rows)};
  std::ranges::transform(sample, std::back_inserter(shape),
                         [](std::int64_t extent) { return static_cast<std::size_t>(extent); });
  return shape;
}

ov::AnyMap settings_for(int threads) {
  return {ov::inference_num_threads(threads), ov::num_streams(1),
          // Unasked the plug-in takes bf16 on processors that are fast at it.
          ov::hint::inference_precision(ov::element::f32),
          ov::hint::execution_mode(ov::hint::ExecutionMode::ACCURACY)};
}

}  // namespace

Session::Session(const sdk::Load& load) : graph_(load.graph), threads_(load.threads), weights_(load.graph) {
  if (load.mode != sdk::Mode::infer) {
    throw sdk::Unsupported("training");
  }
  for (const std::int64_t rows : {load.batch, load.partial}) {
    if (rows > 0) {
      by_rows_[rows];
    }
  }
  compile();
}

void Session::compile() {
  const std::string file = dlbench::onnx::to_onnx(graph_, weights_.weights());
  for (auto& [rows, compiled] : by_rows_) {
    const std::shared_ptr<ov::Model> network = core_.read_model(file, ov::Tensor());
    network->reshape(ov::PartialShape(with_rows(rows, graph_.input_shape)));
    compiled.network = core_.compile_model(network, "CPU", settings_for(threads_));
    compiled.request = compiled.network.create_infer_request();
  }
}

void Session::put(const sdk::Parameter& parameter, sdk::ConstTensor values) {
  if (weights_.put(parameter, values)) {
    compile();
  }
}

void Session::get(const sdk::Parameter& /*parameter*/, sdk::Tensor /*values*/) {
  throw sdk::Unsupported("reading parameters out of a compiled network");
}

void Session::step(const sdk::Batch& /*batch*/, double /*rate*/) {
  throw sdk::Unsupported("training");
}

double Session::loss() {
  throw sdk::Unsupported("training");
}

void Session::infer(const sdk::Batch& batch) {
  const bool has_tokens = batch.tokens != nullptr;
  const void* const data = has_tokens ? static_cast<const void*>(batch.tokens) : batch.input;
  ov::InferRequest& request = by_rows_.at(batch.rows).request;
  // The library only reads its inputs; its tensors are not const.
  request.set_input_tensor(ov::Tensor(has_tokens ? ov::element::i64 : ov::element::f32,
                                      with_rows(batch.rows, graph_.input_shape), const_cast<void*>(data)));
  request.infer();
  last_ = &request;
}

void Session::outputs(sdk::Tensor logits) {
  std::copy_n(last_->get_output_tensor().data<const float>(), logits.values.size(), logits.values.begin());
}

std::vector<sdk::Setting> Session::effective() {
  const ov::CompiledModel& network = by_rows_.begin()->second.network;
  const std::string source = "ov::CompiledModel::get_property()";
  return {
      {"threads", std::to_string(network.get_property(ov::inference_num_threads)), source},
      {"streams", std::to_string(network.get_property(ov::num_streams).num), source},
      {"inference_precision", network.get_property(ov::hint::inference_precision).get_type_name(), source}};
}

}  // namespace runner
