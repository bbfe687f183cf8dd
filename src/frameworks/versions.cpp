// Which version is meant.
#include <fmt/format.h>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "frameworks/frameworks.hpp"

namespace dlbench::frameworks {

const VersionEntry& version_entry(const Manifest& manifest, const std::string& version) {
  DLBENCH_ASSERT(!manifest.versions.empty(), manifest.name);
  if (version.empty()) {
    return manifest.versions.front();
  }
  std::vector<std::string> known;
  for (const VersionEntry& entry : manifest.versions) {
    if (entry.version == version) {
      return entry;
    }
    known.push_back(entry.version);
  }
  throw base::UserError(fmt::format("{} has no version '{}'", manifest.name, version), {},
                        base::nearest_hint(version, known));
}

std::pair<std::string, std::string> split_version(const std::string& text) {
  const std::size_t at = text.find('@');
  if (at + 1 == text.size()) {
    throw base::UserError(fmt::format("'{}' names no version", text), {}, "NAME, or NAME@VERSION");
  }
  return {text.substr(0, at), at == std::string::npos ? std::string() : text.substr(at + 1)};
}

}  // namespace dlbench::frameworks
