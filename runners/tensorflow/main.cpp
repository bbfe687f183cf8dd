// Runner for TensorFlow through its C API.
#include <tensorflow/c/c_api.h>

#include <memory>

#include "ops.hpp"
#include "optimizer.hpp"
#include "runner_sdk/cpp/serve.hpp"
#include "session.hpp"

int main() {
  dlbench::sdk::Description description;
  description.runner = "tensorflow";
  description.framework = "TensorFlow";
  description.version = TF_Version();
  description.build = "C API, wheel of the CPU build";
  description.ops = runner::ops().names();
  description.optimizers = runner::optimizer_names();
  description.input = "alias";
  return dlbench::sdk::serve(
      description, [](const dlbench::sdk::Load& load) { return std::make_unique<runner::Session>(load); });
}
