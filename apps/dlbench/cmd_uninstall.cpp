// dlbench uninstall: removes environments.

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "dlbench/command.hpp"
#include "frameworks/frameworks.hpp"

namespace dlbench::app {
namespace {

bool remove(const frameworks::Places& places, const std::string& name, const std::string& version) {
  const bool removed = frameworks::uninstall(places, name, version, [&](const std::string& line) {
    fmt::print(stderr, "{} {}: {}\n", name, version, line);
  });
  if (removed) {
    fmt::print("{} {}: removed\n", name, version);
  }
  return removed;
}

int uninstall_all(const std::vector<std::string>& names) {
  const frameworks::Places places = frameworks::find_places();
  for (const std::string& text : names) {
    const auto [name, version] = frameworks::split_version(text);
    // An environment may outlive the manifest that named it, so the cache is asked before the manifest.
    if (version.empty() || !remove(places, name, version)) {
      const frameworks::Manifest manifest = frameworks::find_manifest(places, name);
      const std::string known = frameworks::version_entry(manifest, version).version;
      if (!version.empty() || !remove(places, name, known)) {
        fmt::print("{} {}: was not installed\n", name, known);
      }
    }
  }
  return exit_ok;
}

}  // namespace

void add_uninstall(CLI::App& app, Action& action) {
  const auto names = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("uninstall", "Remove frameworks' environments");
  command->add_option("names", *names, "NAME or NAME@VERSION")->required();
  command->callback([&action, names] { action = [names] { return uninstall_all(*names); }; });
}

}  // namespace dlbench::app
