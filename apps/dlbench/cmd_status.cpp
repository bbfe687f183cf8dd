// dlbench status: how far a workspace's studies are.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "dlbench/command.hpp"
#include "store/store.hpp"

namespace dlbench::app {
namespace {

void print_status(const store::Store& store) {
  for (const store::StudyRow& study : store.studies()) {
    std::map<std::string, int> outcomes;
    for (const record::Run& run : store.runs(study.id, false)) {
      ++outcomes[std::string(record::to_text(run.outcome.kind))];
    }
    fmt::print("{}  {}  begun {}  {} cases\n", study.id.substr(0, 12), study.name, study.begun,
               store.cases(study.id).size());
    for (const auto& [outcome, count] : outcomes) {
      fmt::print("    {:<14} {} run{}\n", outcome, count, count == 1 ? "" : "s");
    }
  }
}

}  // namespace

void add_status(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("status", "Show how far a workspace's studies are");
  const auto workspace = std::make_shared<std::string>();
  command->add_option("workspace", *workspace, "folder that 'dlbench run' made")->required();
  command->callback([&action, workspace] {
    action = [workspace] {
      print_status(*store::Store::open_read_only(*workspace));
      return exit_ok;
    };
  });
}

}  // namespace dlbench::app
