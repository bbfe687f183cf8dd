// Runner for libtorch, PyTorch's C++ library.
#include <ATen/Version.h>

#include <memory>

#include "library.hpp"
#include "ops.hpp"
#include "optimizer.hpp"
#include "runner_sdk/cpp/serve.hpp"
#include "session.hpp"

int main() {
  dlbench::sdk::Description description;
  description.runner = "libtorch";
  description.framework = "libtorch";
  description.version = runner::library_version();
  description.build = at::show_config();
  description.ops = runner::ops().names();
  description.optimizers = runner::optimizer_names();
  description.input = "alias";
  return dlbench::sdk::serve(
      description, [](const dlbench::sdk::Load& load) { return std::make_unique<runner::Session>(load); });
}
