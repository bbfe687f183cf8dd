// Debian packages that a framework needs. dlbench looks, it never installs them.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace dlbench::frameworks {

// nullopt when all are installed; else which are not, with the command that gets them.
[[nodiscard]] std::optional<std::string> missing_packages(const std::vector<std::string>& packages);

}  // namespace dlbench::frameworks
