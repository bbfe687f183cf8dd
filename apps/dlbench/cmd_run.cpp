// dlbench run: a study from the gate to the report. Ctrl-C stops after the current run; the same command goes
// on.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "dlbench/build_info.hpp"
#include "dlbench/command.hpp"
#include "dlbench/narrator.hpp"
#include "dlbench/present.hpp"
#include "probes/machine.hpp"
#include "process/process.hpp"

namespace dlbench::app {
namespace {

struct Options {
  std::string study;
  std::string workspace;
  host::RunOptions run;
  std::string only_case;
  int only_block = -1;
  bool allow_weak = false;
  bool allow_unfit = false;
  bool ok_if_any = false;
};

// Written by a signal handler, so it lives as long as the process.
std::atomic<bool>& stop_requested() {
  static std::atomic<bool> requested{false};
  return requested;
}

// The first Ctrl-C asks to stop after the current run; the second ends dlbench at once (and every runner with
// it).
void on_interrupt(int signal_number) {
  stop_requested().store(true);
  std::signal(signal_number, SIG_DFL);
}

// argv as the kernel keeps it: NUL-separated.
std::vector<std::string> command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> arguments;
  for (std::string argument; std::getline(file, argument, '\0');) {
    arguments.push_back(argument);
  }
  return arguments;
}

std::string environment_json() {
  const BuildInfo build = build_info();
  const nlohmann::json environment = {
      {"dlbench", build.version},
      {"commit", build.commit},
      {"dirty", build.dirty},
      {"build_type", build.build_type},
      {"compiler", build.compiler},
      {"arguments", command_line()},
      {"clock_resolution_ns", base::clock_resolution_ns()},
      {"machine", nlohmann::json::parse(probes::to_json(probes::read_machine()))}};
  return environment.dump();
}

void require_fit(bool allow_unfit) {
  const BuildInfo build = build_info();
  if (!build.fit() && !allow_unfit) {
    throw base::UserError(
        fmt::format("this dlbench is not fit to measure (build {}, sanitizers '{}')", build.build_type,
                    build.sanitize),
        {}, "build with CMAKE_BUILD_TYPE=Release and no sanitizer, or accept it with --allow-unfit");
  }
}

std::string default_workspace(const std::string& study_name) {
  std::string stamp = base::utc_now();
  std::erase_if(stamp, [](char c) { return c == ':' || c == '-'; });
  return fmt::format("workspaces/{}-{}", study_name, stamp);
}

int exit_code(const Options& options, const report::ReportInput& input) {
  bool any = false;
  bool all = true;
  for (const analysis::CaseSummary& summary : input.analysis.cases) {
    const bool ok = summary.outcome.kind == record::OutcomeKind::ok;
    any = any || ok;
    all = all && ok;
  }
  return all || (options.ok_if_any && any) ? exit_ok : exit_rows;
}

int run(Options& options) {
  process::become_reaper();
  process::sweep();
  const study::Study study = study::read_study(options.study);
  require_fit(options.allow_unfit);
  const host::StudyPlan plan = host::make_study_plan(study, frameworks::find_places(), options.allow_weak);
  if (!options.only_case.empty()) {
    options.run.only_case = options.only_case;
  }
  if (options.only_block >= 0) {
    options.run.only_block = options.only_block;
  }
  options.run.environment_json = environment_json();
  options.run.stop = &stop_requested();
  const std::string workspace =
      std::filesystem::absolute(options.workspace.empty() ? default_workspace(plan.study.name)
                                                          : options.workspace)
          .string();
  const auto store = store::Store::open(workspace);
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  Narrator narrator;
  const bool complete = host::run_study(plan, *store, workspace, options.run, narrator);
  const report::ReportInput input = load_report(*store, plan.id);
  fmt::print("{}", report::terminal_table(input, terminal_width_columns()));
  fmt::print("report: {}\n", write_reports(input, workspace).html);
  if (!complete) {
    fmt::print(stderr, "stopped; the same command with --workspace {} goes on\n", workspace);
    return exit_rows;
  }
  return exit_code(options, input);
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("run", "Run a study: gate, blocks, report. Stopped, it goes on where it was");
  const auto options = std::make_shared<Options>();
  command->add_option("study", options->study, "study file (.yaml)")->required();
  command->add_option("--workspace", options->workspace,
                      "folder of the results; default: a new one in workspaces/");
  command->add_option("--case", options->only_case, "only the case whose id begins so");
  command->add_option("--block", options->only_block, "only this block (0 is the first)")
      ->check(CLI::NonNegativeNumber);
  command->add_flag("--allow-weak", options->allow_weak, "accept too few blocks to show any difference");
  command->add_flag("--allow-mismatch", options->run.allow_mismatch,
                    "measure MISMATCH cases too; marked everywhere, never ranked");
  command->add_flag("--allow-unfit", options->allow_unfit,
                    "measure with a debug or sanitizer build of dlbench");
  command->add_flag("--fresh", options->run.fresh_certificates,
                    "prove again, even if certificates are cached");
  command->add_flag("--ok-if-any", options->ok_if_any, "exit 0 when at least one case is OK");
  command->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace dlbench::app
