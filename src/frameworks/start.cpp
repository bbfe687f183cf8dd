#include "frameworks/start.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "base/error.hpp"
#include "frameworks/interpreter.hpp"
#include "frameworks/placeholders.hpp"

namespace dlbench::frameworks {

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

tl::expected<std::string, std::string> python_of(const VersionEntry& entry, const Folder& folder) {
  if (entry.python_range.empty()) {
    return std::string();
  }
  if (!entry.lock.empty()) {
    return virtual_python(folder);
  }
  const auto found =
      find_interpreter(entry.python_range, interpreter_candidates(variable("PATH"), variable("HOME")));
  if (!found) {
    return tl::unexpected<std::string>(found.error());
  }
  return found->path;
}

Start start_of(const Places& places, const Manifest& manifest, const VersionEntry& entry,
               const Folder& folder, const std::string& python, int threads) {
  DLBENCH_ASSERT(threads >= 1, "a runner has at least one thread");
  const Placeholders values{{"env", folder.env},
                            {"runner", manifest.folder},
                            {"sdk", places.sdk},
                            {"python", python},
                            {"threads", std::to_string(threads)}};
  Start start;
  for (const std::string& argument : entry.start) {
    start.command.push_back(expand(argument, values));
  }
  // Nothing is inherited: a variable of the user's shell must never change a result. HOME is the
  // environment's own, so that neither configuration files nor caches of the user take part.
  std::map<std::string, std::string> environment{
      {"PATH", "/usr/local/bin:/usr/bin:/bin"}, {"HOME", folder.home}, {"LANG", "C.UTF-8"}};
  for (const auto& [name, value] : entry.environment) {
    environment[name] = expand(value, values);
  }
  for (const auto& [name, value] : environment) {
    start.environment.push_back(fmt::format("{}={}", name, value));
  }
  return start;
}

Start start_command(const Places& places, const Manifest& manifest, const Installed& installed, int threads) {
  DLBENCH_ASSERT(installed.state == State::ready, manifest.name);
  const VersionEntry& entry = version_entry(manifest, installed.version);
  const Folder folder = folder_of(places, manifest, entry);
  const auto python = python_of(entry, folder);
  if (!python) {
    throw base::UserError(manifest.name + " " + python.error());
  }
  return start_of(places, manifest, entry, folder, *python, threads);
}

}  // namespace dlbench::frameworks
