// dlbench list: frameworks with their state, models, data sets.

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "data/dataset.hpp"
#include "dlbench/command.hpp"
#include "frameworks/frameworks.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::app {
namespace {

std::string size_text(std::uint64_t bytes) {
  return bytes == 0 ? std::string("-") : fmt::format("{:.0f} MB", static_cast<double>(bytes) * 1e-6);
}

void list_frameworks() {
  const frameworks::Places places = frameworks::find_places();
  fmt::print("{:<16} {:<10} {:<14} {:<10} {}\n", "framework", "state", "version", "size", "note");
  for (const frameworks::Manifest& manifest : frameworks::all_manifests(places)) {
    for (const frameworks::VersionEntry& entry : manifest.versions) {
      const frameworks::Installed found = frameworks::installed(places, manifest, entry.version);
      const char* state = found.state == frameworks::State::ready    ? "ready"
                          : found.state == frameworks::State::broken ? "broken"
                                                                     : "absent";
      fmt::print("{:<16} {:<10} {:<14} {:<10} {}\n", manifest.name, state, entry.version,
                 size_text(found.bytes),
                 found.state == frameworks::State::ready ? entry.title : found.why_not);
    }
  }
}

void list_models() {
  for (const zoo::Entry& entry : zoo::entries()) {
    fmt::print("{:<16} {}\n", entry.name, entry.sentence);
  }
}

void list_datasets() {
  for (const data::DatasetInfo& info : data::known_datasets()) {
    fmt::print("{:<16} {} (looked for in {}; {})\n", info.name, info.sentence, info.default_folder,
               info.hint);
  }
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  CLI::App* list = app.add_subcommand("list", "Show what there is: frameworks, models, data sets");
  const auto what = std::make_shared<std::string>("frameworks");
  list->add_option("what", *what, "frameworks, models or data")
      ->check(CLI::IsMember({"frameworks", "models", "data"}))
      ->capture_default_str();
  list->callback([&action, what] {
    action = [what] {
      if (*what == "frameworks") {
        list_frameworks();
      } else if (*what == "models") {
        list_models();
      } else {
        list_datasets();
      }
      return exit_ok;
    };
  });
}

}  // namespace dlbench::app
