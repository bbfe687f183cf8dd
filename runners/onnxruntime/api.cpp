#include "api.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace {

// OrtApiBase.
struct ApiBase {
  const runner::ort::Api* (*GetApi)(std::uint32_t version);
  const char* (*GetVersionString)();
};

}  // namespace

extern "C" const ApiBase* OrtGetApiBase();

namespace runner::ort {
namespace {

// All functions that are used have been there since ONNX Runtime 1.2; the library hands out what is at least
// as new.
constexpr std::uint32_t api_version = 2;

}  // namespace

const Api& api() {
  static const Api* const table = OrtGetApiBase()->GetApi(api_version);
  if (table == nullptr) {
    throw std::runtime_error(fmt::format("ONNX Runtime {} has no API of version {}", version(), api_version));
  }
  return *table;
}

std::string version() {
  return OrtGetApiBase()->GetVersionString();
}

void check(Status* status) {
  if (status == nullptr) {
    return;
  }
  const std::string message = api().GetErrorMessage(status);
  api().ReleaseStatus(status);
  throw std::runtime_error("ONNX Runtime: " + message);
}

}  // namespace runner::ort
