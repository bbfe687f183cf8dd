#include "session.hpp"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "onnx/export.hpp"
#include "runner_sdk/cpp/unsupported.hpp"

namespace runner {
namespace {

namespace sdk = dlbench::sdk;

std::size_t threads_of_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

Owned<ort::Env> make_env() {
  ort::Env* env = nullptr;
  ort::check(ort::api().CreateEnv(ort::log_errors, "dlbench", &env));
  return {env, ort::api().ReleaseEnv};
}

Owned<ort::MemoryInfo> cpu_memory() {
  ort::MemoryInfo* memory = nullptr;
  ort::check(ort::api().CreateCpuMemoryInfo(ort::arena_allocator, ort::default_memory, &memory));
  return {memory, ort::api().ReleaseMemoryInfo};
}

// Everything else is the library's default: all graph optimisations, one operator at a time, threads that
// spin.
Owned<ort::SessionOptions> options_for(int threads) {
  ort::SessionOptions* options = nullptr;
  ort::check(ort::api().CreateSessionOptions(&options));
  Owned<ort::SessionOptions> owned(options, ort::api().ReleaseSessionOptions);
  ort::check(ort::api().SetIntraOpNumThreads(options, threads));
  ort::check(ort::api().SetInterOpNumThreads(options, 1));
  return owned;
}

std::int64_t elements(const dlbench::model::Shape& shape) {
  return dlbench::model::element_count(shape);
}

}  // namespace

Session::Session(const sdk::Load& load)
    : graph_(load.graph),
      threads_(load.threads),
      weights_(load.graph),
      env_(make_env()),
      other_threads_(threads_of_process()),
      memory_(cpu_memory()),
      session_(nullptr, ort::api().ReleaseSession),
      logits_(static_cast<std::size_t>(load.batch * elements(dlbench::model::logits_shape(load.graph)))) {
  if (load.mode != sdk::Mode::infer) {
    throw sdk::Unsupported("training");
  }
  compile();
}

void Session::compile() {
  const std::string file = dlbench::onnx::to_onnx(graph_, weights_.weights());
  const Owned<ort::SessionOptions> options = options_for(threads_);
  session_.reset();  // its threads end before others begin
  ort::SessionHandle* session = nullptr;
  ort::check(
      ort::api().CreateSessionFromArray(env_.get(), file.data(), file.size(), options.get(), &session));
  session_.reset(session);
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

Owned<ort::Value> Session::tensor(void* data, std::int64_t rows, const dlbench::model::Shape& sample,
                                  int element_type) const {
  dlbench::model::Shape shape = sample;
  shape.insert(shape.begin(), rows);
  const std::size_t element_bytes = element_type == ort::element_int64 ? sizeof(std::int64_t) : sizeof(float);
  ort::Value* value = nullptr;
  ort::check(ort::api().CreateTensorWithDataAsOrtValue(
      memory_.get(), data, static_cast<std::size_t>(elements(shape)) * element_bytes, shape.data(),
      shape.size(), element_type, &value));
  return {value, ort::api().ReleaseValue};
}

void Session::infer(const sdk::Batch& batch) {
  const bool has_tokens = batch.tokens != nullptr;
  const void* const data = has_tokens ? static_cast<const void*>(batch.tokens) : batch.input;
  // The library only reads its inputs; its C API has no const tensors.
  const Owned<ort::Value> input = tensor(const_cast<void*>(data), batch.rows, graph_.input_shape,
                                         has_tokens ? ort::element_int64 : ort::element_float);
  const Owned<ort::Value> output =
      tensor(logits_.data(), batch.rows, dlbench::model::logits_shape(graph_), ort::element_float);
  const char* const input_name = dlbench::onnx::input_name;
  const char* const output_name = dlbench::onnx::logits_name;
  const ort::Value* const inputs = input.get();
  ort::Value* outputs = output.get();
  ort::check(ort::api().Run(session_.get(), nullptr, &input_name, &inputs, 1, &output_name, 1, &outputs));
}

void Session::outputs(sdk::Tensor logits) {
  std::copy_n(logits_.begin(), logits.values.size(), logits.values.begin());
}

std::vector<sdk::Setting> Session::effective() {
  // The caller works with the session's own threads.
  const std::size_t working = threads_of_process() - other_threads_ + 1;
  return {{"threads", std::to_string(working),
           "threads in /proc/self/task that came with the session, and the caller"}};
}

}  // namespace runner
