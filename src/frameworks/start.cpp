#include "frameworks/start.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"
#include "frameworks/placeholders.hpp"

namespace dlbench::frameworks {

namespace {

// What {python} means: the virtual environment's interpreter, or without a lock file the one of the machine
// that was chosen at installation; "" when the version needs none.
std::string python_of(const VersionEntry& entry, const Folder& folder) {
  if (entry.python_range.empty()) {
    return {};
  }
  if (!entry.lock.empty()) {
    return virtual_python(folder);
  }
  const auto interpreter = read_interpreter(folder);
  return interpreter ? interpreter->path : std::string();
}

}  // namespace

std::string virtual_python(const Folder& folder) {
  return (std::filesystem::path(folder.env) / "bin" / "python").string();
}

Start start_of(const Places& places, const Manifest& manifest, const VersionEntry& entry, int threads,
               Purpose purpose) {
  DLBENCH_ASSERT(threads >= 1, "a runner has at least one thread");
  const Folder folder = folder_of(places, manifest.name, entry.version);
  const Placeholders values{
      {"env", folder.env}, {"compiled", folder.compiled},        {"runner", manifest.folder},
      {"sdk", places.sdk}, {"python", python_of(entry, folder)}, {"threads", std::to_string(threads)}};
  Start start;
  for (const std::string& argument : entry.start) {
    start.command.push_back(expand(argument, values));
  }
  // Nothing is inherited: a variable of the user's shell must never change a result. HOME is the
  // environment's own, so that neither configuration files nor caches of the user take part.
  std::map<std::string, std::string> environment{
      {"PATH", "/usr/local/bin:/usr/bin:/bin"}, {"HOME", folder.home}, {"LANG", "C.UTF-8"}};
  const auto add = [&](const std::map<std::string, std::string>& variables) {
    for (const auto& [name, value] : variables) {
      environment[name] = expand(value, values);
    }
  };
  add(entry.environment);
  if (purpose == Purpose::prove) {
    add(entry.gate_environment);
  }
  for (const auto& [name, value] : environment) {
    start.environment.push_back(fmt::format("{}={}", name, value));
  }
  return start;
}

Start start_command(const Places& places, const Manifest& manifest, const Installed& installed, int threads,
                    Purpose purpose) {
  DLBENCH_ASSERT(installed.state == State::ready, manifest.name);
  return start_of(places, manifest, version_entry(manifest, installed.version), threads, purpose);
}

}  // namespace dlbench::frameworks
