// Runner for ONNX Runtime's inference through its C API.
#include <memory>

#include "api.hpp"
#include "network.hpp"
#include "onnx/export.hpp"
#include "runner_sdk/cpp/compiled_session.hpp"
#include "runner_sdk/cpp/serve.hpp"

int main() {
  dlbench::sdk::Description description;
  description.runner = "onnxruntime";
  description.framework = "ONNX Runtime";
  description.version = runner::ort::version();
  description.build = "C API, wheel of the CPU build";
  description.ops = dlbench::onnx::exported_ops();
  description.input = "alias";
  return dlbench::sdk::serve(description, [](const dlbench::sdk::Load& load) {
    return std::make_unique<dlbench::sdk::CompiledSession>(load, dlbench::onnx::to_onnx,
                                                           std::make_unique<runner::Network>(load.threads));
  });
}
