// Runner for OpenVINO's inference on the CPU.
#include <memory>

#include "network.hpp"
#include "onnx/export.hpp"
#include "runner_sdk/cpp/compiled_session.hpp"
#include "runner_sdk/cpp/serve.hpp"

namespace {

// "2026.4.1-22982-…" without the build.
std::string release(const std::string& build) {
  return build.substr(0, build.find('-'));
}

}  // namespace

int main() {
  const std::string build = ov::get_openvino_version().buildNumber;
  dlbench::sdk::Description description;
  description.runner = "openvino";
  description.framework = "OpenVINO";
  description.version = release(build);
  description.build = "wheel, " + build;
  description.ops = dlbench::onnx::exported_ops();
  description.input = "alias";
  return dlbench::sdk::serve(description, [](const dlbench::sdk::Load& load) {
    return std::make_unique<dlbench::sdk::CompiledSession>(load, dlbench::onnx::to_onnx,
                                                           std::make_unique<runner::Network>(load.threads));
  });
}
