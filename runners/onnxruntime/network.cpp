#include "network.hpp"

#include <algorithm>
#include <filesystem>
#include <string>

#include "onnx/export.hpp"

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

}  // namespace

Network::Network(int threads)
    : threads_(threads),
      env_(make_env()),
      other_threads_(threads_of_process()),
      memory_(cpu_memory()),
      session_(nullptr, ort::api().ReleaseSession) {}

void Network::compile(const std::string& file, const std::vector<sdk::BatchShapes>& shapes) {
  const Owned<ort::SessionOptions> options = options_for(threads_);
  session_.reset();  // its threads end before others begin
  ort::SessionHandle* session = nullptr;
  ort::check(
      ort::api().CreateSessionFromArray(env_.get(), file.data(), file.size(), options.get(), &session));
  session_.reset(session);
  for (const sdk::BatchShapes& batch : shapes) {
    const auto elements = static_cast<std::size_t>(dlbench::model::element_count(batch.logits));
    logits_.resize(std::max(logits_.size(), elements));
  }
}

Owned<ort::Value> Network::tensor(void* data, const dlbench::model::Shape& shape, int element_type) const {
  const auto elements = static_cast<std::size_t>(dlbench::model::element_count(shape));
  const std::size_t element_bytes = element_type == ort::element_int64 ? sizeof(std::int64_t) : sizeof(float);
  ort::Value* value = nullptr;
  ort::check(ort::api().CreateTensorWithDataAsOrtValue(memory_.get(), data, elements * element_bytes,
                                                       shape.data(), shape.size(), element_type, &value));
  return {value, ort::api().ReleaseValue};
}

void Network::run(const sdk::BatchInput& input) {
  const bool has_tokens = input.kind == dlbench::model::InputKind::tokens;
  // The library only reads its inputs; its C API has no const tensors.
  const Owned<ort::Value> batch = tensor(const_cast<void*>(input.data), input.shapes.input,
                                         has_tokens ? ort::element_int64 : ort::element_float);
  const Owned<ort::Value> logits = tensor(logits_.data(), input.shapes.logits, ort::element_float);
  const char* const input_name = dlbench::onnx::input_name;
  const char* const output_name = dlbench::onnx::logits_name;
  const ort::Value* const inputs = batch.get();
  ort::Value* outputs = logits.get();
  ort::check(ort::api().Run(session_.get(), nullptr, &input_name, &inputs, 1, &output_name, 1, &outputs));
}

std::vector<sdk::Setting> Network::effective() {
  // The caller works with the session's own threads.
  const std::size_t working = threads_of_process() - other_threads_ + 1;
  return {{"threads", std::to_string(working),
           "threads in /proc/self/task that came with the session, and the caller"}};
}

}  // namespace runner
