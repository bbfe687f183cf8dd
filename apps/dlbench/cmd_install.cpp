// dlbench install: frameworks, each into an environment of its own.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "dlbench/command.hpp"
#include "frameworks/frameworks.hpp"
#include "process/process.hpp"

namespace dlbench::app {
namespace {

struct InstallArguments {
  std::vector<std::string> names;
  bool all = false;
  frameworks::InstallOptions options;
};

struct Choice {
  frameworks::Manifest manifest;
  std::string version;
  bool is_named = false;  // not only meant by --all
};

void add(std::vector<Choice>& list, frameworks::Manifest manifest, const std::string& asked, bool is_named) {
  const std::string version = frameworks::version_entry(manifest, asked).version;
  const auto same = [&](const Choice& other) {
    return other.manifest.name == manifest.name && other.version == version;
  };
  if (std::none_of(list.begin(), list.end(), same)) {
    list.push_back({std::move(manifest), version, is_named});
  }
}

// Unknown names are refused before anything is installed.
std::vector<Choice> chosen(const frameworks::Places& places, const InstallArguments& arguments) {
  std::vector<Choice> list;
  for (const std::string& text : arguments.names) {
    const auto [name, version] = frameworks::split_version(text);
    add(list, frameworks::find_manifest(places, name), version, true);
  }
  if (arguments.all) {
    for (const frameworks::Manifest& manifest : frameworks::all_manifests(places)) {
      for (const frameworks::VersionEntry& entry : manifest.versions) {
        add(list, manifest, entry.version, false);
      }
    }
  }
  if (list.empty()) {
    throw base::UserError("nothing to install", {}, "name frameworks, or --all; 'dlbench list' shows them");
  }
  return list;
}

// The folder and the interpreter are used from other working folders.
void make_absolute(frameworks::InstallOptions& options) {
  if (!options.wheels.empty()) {
    options.wheels = std::filesystem::absolute(options.wheels).lexically_normal().string();
    if (!std::filesystem::is_directory(options.wheels)) {
      throw base::UserError("there is no folder " + options.wheels, "--wheels");
    }
  }
  if (!options.python.empty()) {
    options.python = std::filesystem::absolute(options.python).lexically_normal().string();
    if (!std::filesystem::is_regular_file(options.python)) {
      throw base::UserError("there is no interpreter " + options.python, "--python",
                            "name the program itself, such as /usr/bin/python3");
    }
  }
}

bool install_one(const frameworks::Places& places, const Choice& choice,
                 const frameworks::InstallOptions& options) {
  bool worked = false;
  const std::string name = choice.manifest.name;
  const frameworks::Installed after = frameworks::install(
      places, choice.manifest, choice.version,
      [&](const std::string& line) {
        worked = true;
        fmt::print(stderr, "{} {}: {}\n", name, choice.version, line);
      },
      options);
  if (after.state != frameworks::State::ready) {
    fmt::print("{} {}: not installed: {}\n", name, choice.version, after.why_not);
    return false;
  }
  fmt::print("{} {}: {}, {:.0f} MB\n", name, choice.version, worked ? "installed" : "already installed",
             static_cast<double>(after.bytes) * 1e-6);
  return true;
}

// With --all, what this machine cannot have is told and is no failure; what was named must succeed.
int install_chosen(InstallArguments arguments) {
  process::become_reaper();
  make_absolute(arguments.options);
  const frameworks::Places places = frameworks::find_places();
  frameworks::Survey survey(arguments.options);
  std::vector<std::string> impossible;
  int exit_code = exit_ok;
  for (const Choice& choice : chosen(places, arguments)) {
    const auto lacking = choice.is_named ? std::nullopt : survey.lacking(choice.manifest, choice.version);
    if (lacking) {
      impossible.push_back(fmt::format("{} {}: {}", choice.manifest.name, choice.version, *lacking));
    } else if (!install_one(places, choice, arguments.options)) {
      exit_code = exit_rows;
    }
  }
  if (!impossible.empty()) {
    fmt::print("not possible on this machine:\n  {}\n", fmt::join(impossible, "\n  "));
  }
  return exit_code;
}

}  // namespace

void add_install(CLI::App& app, Action& action) {
  const auto arguments = std::make_shared<InstallArguments>();
  CLI::App* command = app.add_subcommand("install", "Install frameworks, each in an environment of its own");
  command->add_option("names", arguments->names, "NAME or NAME@VERSION, see 'dlbench list'");
  command->add_flag("--all", arguments->all, "every version of every framework that this machine can have");
  command->add_option("--python", arguments->options.python, "the interpreter to use");
  command->add_option("--wheels", arguments->options.wheels,
                      "take all Python packages from this folder, without a network; hashes still count");
  command->callback([&action, arguments] { action = [arguments] { return install_chosen(*arguments); }; });
}

}  // namespace dlbench::app
