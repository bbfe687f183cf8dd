// dlbench report: the table on stdout, HTML, CSV and JSON in the workspace.

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "dlbench/command.hpp"
#include "dlbench/present.hpp"

namespace dlbench::app {

void add_report(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("report", "Show a workspace's results and write HTML, CSV and JSON");
  const auto workspace = std::make_shared<std::string>();
  const auto study = std::make_shared<std::string>();
  command->add_option("workspace", *workspace, "folder that 'dlbench run' made")->required();
  command->add_option("--study", *study, "beginning of a study's id; default: the newest");
  command->callback([&action, workspace, study] {
    action = [workspace, study] {
      const auto store = store::Store::open_read_only(*workspace);
      const report::ReportInput input = load_report(*store, *study);
      fmt::print("{}", report::terminal_table(input, terminal_width_columns()));
      const ReportFiles files = write_reports(input, *workspace);
      fmt::print("report: {}\n", files.html);
      return exit_ok;
    };
  });
}

}  // namespace dlbench::app
