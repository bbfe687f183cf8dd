#include "frameworks/frameworks.hpp"
#include "frameworks/interpreter.hpp"
#include "frameworks/requirements.hpp"

namespace dlbench::frameworks {

Survey::Survey(const InstallOptions& options)
    : interpreters_(std::make_shared<Interpreters>(machine_interpreters(options.python))) {}

std::optional<std::string> Survey::lacking(const Manifest& manifest, const std::string& version) {
  const auto found = required(manifest, version_entry(manifest, version), *interpreters_);
  return found ? std::nullopt : std::optional(found.error());
}

std::string Survey::why_not(const Manifest& manifest, const Installed& found) {
  return lacking(manifest, found.version).value_or(found.why_not);
}

}  // namespace dlbench::frameworks
