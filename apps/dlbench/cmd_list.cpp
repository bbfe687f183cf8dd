// dlbench list: frameworks with their state, models, data sets.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "data/dataset.hpp"
#include "dlbench/command.hpp"
#include "dlbench/present.hpp"
#include "frameworks/frameworks.hpp"

namespace dlbench::app {
namespace {

// framework, state, version, size, Python, note
using Row = std::array<std::string, 6>;

std::string size_text(std::uint64_t bytes) {
  return bytes == 0 ? std::string("-") : fmt::format("{:.0f} MB", static_cast<double>(bytes) * 1e-6);
}

std::string state_text(frameworks::State state) {
  if (state == frameworks::State::ready) {
    return "ready";
  }
  return state == frameworks::State::broken ? "broken" : "absent";
}

std::vector<Row> framework_rows() {
  const frameworks::Places places = frameworks::find_places();
  const std::vector<frameworks::Manifest> manifests = frameworks::all_manifests(places);
  frameworks::Survey survey;
  std::vector<Row> rows{{"framework", "state", "version", "size", "Python", "note"}};
  for (const frameworks::Manifest& manifest : manifests) {
    for (const frameworks::VersionEntry& entry : manifest.versions) {
      const frameworks::Installed found = frameworks::installed(places, manifest, entry.version);
      rows.push_back(
          {manifest.name, state_text(found.state), entry.version, size_text(found.bytes),
           found.interpreter.empty() ? "-" : found.interpreter,
           found.state == frameworks::State::ready ? entry.title : survey.why_not(manifest, found)});
    }
  }
  for (const frameworks::Leftover& old : frameworks::leftovers(places, manifests)) {
    rows.push_back({old.name, "left", old.version, size_text(old.bytes), "-",
                    fmt::format("no manifest names it any more; remove it with: dlbench uninstall {}@{}",
                                old.name, old.version)});
  }
  return rows;
}

void list_frameworks() {
  const std::vector<Row> rows = framework_rows();
  std::array<std::size_t, 5> widths{};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths.at(i) = std::max(widths.at(i), row.at(i).size());
    }
  }
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      fmt::print("{:<{}}  ", row.at(i), widths.at(i));
    }
    fmt::print("{}\n", row.back());
  }
}

void list_datasets() {
  for (const data::DatasetInfo& info : data::known_datasets()) {
    const std::string place =
        info.default_folder.empty() ? std::string{} : fmt::format("looked for in {}; ", info.default_folder);
    fmt::print("{:<16} {} ({}{})\n", info.name, info.sentence, place, info.hint);
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
        print_models();
      } else {
        list_datasets();
      }
      return exit_ok;
    };
  });
}

}  // namespace dlbench::app
