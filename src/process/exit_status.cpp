#include <fmt/format.h>
#include <string.h>  // NOLINT(modernize-deprecated-headers): sigabbrev_np is not in <cstring>

#include "process/process.hpp"

namespace dlbench::process {

std::string to_text(const ExitStatus& status) {
  if (!status.signalled) {
    return fmt::format("exit code {}", status.code);
  }
  const char* name = ::sigabbrev_np(status.code);
  return name == nullptr ? fmt::format("signal {}", status.code)
                         : fmt::format("signal {} (SIG{})", status.code, name);
}

}  // namespace dlbench::process
