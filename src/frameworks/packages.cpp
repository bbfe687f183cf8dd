#include "frameworks/packages.hpp"

#include <fmt/format.h>

#include "frameworks/tools.hpp"

namespace dlbench::frameworks {

std::optional<std::string> missing_packages(const std::vector<std::string>& packages) {
  std::string missing;
  for (const std::string& package : packages) {
    const auto status = capture({"dpkg-query", "-W", "-f=${db:Status-Status} ", "--", package});
    // Several architectures give several words; one installed is enough.
    if (!status || (" " + *status).find(" installed ") == std::string::npos) {
      missing += (missing.empty() ? "" : " ") + package;
    }
  }
  if (missing.empty()) {
    return std::nullopt;
  }
  return fmt::format(
      "needs Debian packages that are not installed: {}; get them with: sudo apt-get install {}", missing,
      missing);
}

}  // namespace dlbench::frameworks
