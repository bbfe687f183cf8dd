#include "network.hpp"

#include <memory>
#include <string>

namespace runner {
namespace {

namespace sdk = dlbench::sdk;

ov::Shape to_openvino(const dlbench::model::Shape& shape) {
  return {shape.begin(), shape.end()};
}

ov::AnyMap settings_for(int threads) {
  return {ov::inference_num_threads(threads), ov::num_streams(1),
          // Unasked the plug-in takes bf16 on processors that are fast at it.
          ov::hint::inference_precision(ov::element::f32),
          ov::hint::execution_mode(ov::hint::ExecutionMode::ACCURACY)};
}

}  // namespace

void Network::compile(const std::string& file, const std::vector<sdk::BatchShapes>& shapes) {
  for (const sdk::BatchShapes& batch : shapes) {
    const std::shared_ptr<ov::Model> network = core_.read_model(file, ov::Tensor());
    network->reshape(ov::PartialShape(to_openvino(batch.input)));
    Compiled& compiled = by_rows_[batch.input.front()];
    compiled.network = core_.compile_model(network, "CPU", settings_for(threads_));
    compiled.request = compiled.network.create_infer_request();
  }
}

void Network::run(const sdk::BatchInput& input) {
  const bool has_tokens = input.kind == dlbench::model::InputKind::tokens;
  ov::InferRequest& request = by_rows_.at(input.shapes.input.front()).request;
  // The library only reads its inputs; its tensors are not const.
  request.set_input_tensor(ov::Tensor(has_tokens ? ov::element::i64 : ov::element::f32,
                                      to_openvino(input.shapes.input), const_cast<void*>(input.data)));
  request.infer();
  last_ = &request;
}

const float* Network::logits() {
  return last_->get_output_tensor().data<const float>();
}

std::vector<sdk::Setting> Network::effective() {
  const ov::CompiledModel& network = by_rows_.rbegin()->second.network;  // of the full batch
  const std::string source = "ov::CompiledModel::get_property()";
  return {
      {"threads", std::to_string(network.get_property(ov::inference_num_threads)), source},
      {"streams", std::to_string(network.get_property(ov::num_streams).num), source},
      {"inference_precision", network.get_property(ov::hint::inference_precision).get_type_name(), source},
      {"execution_mode",
       network.get_property(ov::hint::execution_mode) == ov::hint::ExecutionMode::ACCURACY ? "accuracy"
                                                                                           : "performance",
       source}};
}

}  // namespace runner
