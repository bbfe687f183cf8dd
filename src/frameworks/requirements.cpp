#include "frameworks/requirements.hpp"

#include <filesystem>

#include "frameworks/packages.hpp"
#include "frameworks/tools.hpp"

namespace dlbench::frameworks {
namespace {

// What the runner's own script says is lacking; a script that fails lacks something too.
std::optional<std::string> lacking_by_script(const Manifest& manifest) {
  const std::filesystem::path script = std::filesystem::path(manifest.folder) / "prepare_lacking";
  if (!std::filesystem::exists(script)) {
    return std::nullopt;
  }
  const auto said = capture({script.string()});
  if (!said) {
    return "prepare_lacking: " + said.error();
  }
  return said->empty() ? std::nullopt : std::optional(*said);
}

}  // namespace

tl::expected<std::optional<Interpreter>, std::string> required(const Manifest& manifest,
                                                               const VersionEntry& entry,
                                                               Interpreters& interpreters) {
  if (const auto missing = missing_packages(entry.system_packages)) {
    return tl::unexpected(*missing);
  }
  if (const auto missing = lacking_by_script(manifest)) {
    return tl::unexpected(*missing);
  }
  if (entry.python_range.empty()) {
    return std::nullopt;
  }
  const auto found = interpreters.find(entry.python_range);
  if (!found) {
    return tl::unexpected(found.error());
  }
  return *found;
}

}  // namespace dlbench::frameworks
