#include "library.hpp"

#include <ATen/Version.h>
#include <torch/version.h>

#include <stdexcept>

namespace runner {
namespace {

// "TORCH_VERSION=1.13.0, " is one of the settings that ATen tells of its build.
std::string told_version() {
  const std::string settings = at::show_config();
  const std::string label = "TORCH_VERSION=";
  const std::size_t at = settings.find(label);
  if (at == std::string::npos) {
    throw std::runtime_error("at::show_config() does not say TORCH_VERSION");
  }
  const std::size_t begin = at + label.size();
  return settings.substr(begin, settings.find_first_of(",\n ", begin) - begin);
}

}  // namespace

std::string library_version() {
  const std::string version = told_version();
  // A machine may have two: Debian's and that of a wheel.
  if (version != TORCH_VERSION) {
    throw std::runtime_error("compiled with the headers of libtorch " TORCH_VERSION ", but loaded " +
                             version);
  }
  return version;
}

}  // namespace runner
