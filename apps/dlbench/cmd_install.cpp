// dlbench install / uninstall: frameworks into environments of their own.

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/error.hpp"
#include "dlbench/command.hpp"
#include "frameworks/frameworks.hpp"
#include "process/process.hpp"

namespace dlbench::app {
namespace {

std::pair<std::string, std::string> split_version(const std::string& text) {
  const std::size_t at = text.find('@');
  return {text.substr(0, at), at == std::string::npos ? std::string{} : text.substr(at + 1)};
}

// Unknown names are refused before anything is installed.
std::vector<std::pair<frameworks::Manifest, std::string>> chosen(const frameworks::Places& places,
                                                                 const std::vector<std::string>& names,
                                                                 bool all) {
  std::vector<std::pair<frameworks::Manifest, std::string>> list;
  for (const std::string& text : names) {
    const auto [name, version] = split_version(text);
    list.emplace_back(frameworks::find_manifest(places, name), version);
  }
  if (all) {
    for (const frameworks::Manifest& manifest : frameworks::all_manifests(places)) {
      list.emplace_back(manifest, std::string{});
    }
  }
  if (list.empty()) {
    throw base::UserError("nothing to install", {}, "name frameworks, or --all; 'dlbench list' shows them");
  }
  return list;
}

int install_all(const std::vector<std::string>& names, bool all) {
  process::become_reaper();
  const frameworks::Places places = frameworks::find_places();
  int exit_code = exit_ok;
  for (const auto& [manifest, version] : chosen(places, names, all)) {
    const frameworks::Installed before = frameworks::installed(places, manifest, version);
    if (before.state == frameworks::State::ready) {
      fmt::print("{} {}: already installed\n", manifest.name, before.version);
      continue;
    }
    const frameworks::Installed after = frameworks::install(
        places, manifest, version,
        [&](const std::string& line) { fmt::print(stderr, "{}: {}\n", manifest.name, line); });
    if (after.state == frameworks::State::ready) {
      fmt::print("{} {}: installed, {:.0f} MB\n", manifest.name, after.version,
                 static_cast<double>(after.bytes) * 1e-6);
    } else {
      fmt::print("{}: not installed: {}\n", manifest.name, after.why_not);
      exit_code = exit_rows;
    }
  }
  return exit_code;
}

}  // namespace

void add_install(CLI::App& app, Action& action) {
  const auto names = std::make_shared<std::vector<std::string>>();
  const auto all = std::make_shared<bool>(false);
  CLI::App* install = app.add_subcommand("install", "Install frameworks, each in an environment of its own");
  install->add_option("names", *names, "NAME or NAME@VERSION, see 'dlbench list'");
  install->add_flag("--all", *all, "every known framework");
  install->callback([&action, names, all] { action = [names, all] { return install_all(*names, *all); }; });

  CLI::App* uninstall = app.add_subcommand("uninstall", "Remove a framework's environment");
  uninstall->add_option("names", *names, "NAME or NAME@VERSION")->required();
  uninstall->callback([&action, names] {
    action = [names] {
      const frameworks::Places places = frameworks::find_places();
      for (const auto& [manifest, version] : chosen(places, *names, false)) {
        frameworks::uninstall(places, manifest, version);
        fmt::print("{}: removed\n", manifest.name);
      }
      return exit_ok;
    };
  });
}

}  // namespace dlbench::app
