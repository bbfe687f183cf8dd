// Runner for MXNet through its C API.
#include <fmt/format.h>
#include <mxnet/c_api.h>

#include <memory>
#include <string>

#include "ops.hpp"
#include "optimizer.hpp"
#include "runner_sdk/cpp/serve.hpp"
#include "session.hpp"

namespace {

// 10901 is 1.9.1.
std::string version() {
  int number = 0;
  runner::check(MXGetVersion(&number));
  return fmt::format("{}.{}.{}", number / 10000, number / 100 % 100, number % 100);
}

// The features that this build has.
std::string features() {
  const LibFeature* list = nullptr;
  std::size_t count = 0;
  runner::check(MXLibInfoFeatures(&list, &count));
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (list[i].enabled) {
      text += (text.empty() ? "" : " ") + std::string(list[i].name);
    }
  }
  return text;
}

}  // namespace

int main() {
  dlbench::sdk::Description description;
  description.runner = "mxnet";
  description.framework = "MXNet";
  description.version = version();
  description.build = features();
  description.ops = runner::ops().names();
  description.optimizers = runner::optimizer_names();
  description.deviations = {"ema_biased"};
  description.input = "copy";
  return dlbench::sdk::serve(
      description, [](const dlbench::sdk::Load& load) { return std::make_unique<runner::Session>(load); });
}
