#include "frameworks/frameworks.hpp"
#include "frameworks/interpreter.hpp"
#include "frameworks/packages.hpp"

namespace dlbench::frameworks {

Survey::Survey(const InstallOptions& options)
    : interpreters_(std::make_shared<Interpreters>(machine_interpreters(options.python))) {}

std::optional<std::string> Survey::lacking(const VersionEntry& entry) {
  if (auto missing = missing_packages(entry.system_packages)) {
    return missing;
  }
  if (entry.python_range.empty()) {
    return std::nullopt;
  }
  const auto found = interpreters_->find(entry.python_range);
  return found ? std::nullopt : std::optional(found.error());
}

std::string Survey::why_not(const Installed& found, const VersionEntry& entry) {
  return lacking(entry).value_or(found.why_not);
}

}  // namespace dlbench::frameworks
