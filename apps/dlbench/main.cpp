// dlbench: the command line. Builds the parser, runs one subcommand, maps every kind of failure to an exit
// code.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "dlbench/build_info.hpp"
#include "dlbench/command.hpp"

namespace dlbench::app {
namespace {

void add_commands(CLI::App& app, Action& action) {
  add_list(app, action);
  add_model(app, action);
  add_install(app, action);
  add_uninstall(app, action);
  add_verify(app, action);
  add_plan(app, action);
  add_run(app, action);
  add_status(app, action);
  add_report(app, action);
  add_doctor(app, action);
}

void print_error(const std::string& what, const std::string& where, const std::string& hint) {
  const bool told = where.empty() || what.find(where) != std::string::npos;
  fmt::print(stderr, "dlbench: {}{}{}\n", told ? "" : where, told ? "" : ": ", what);
  if (!hint.empty()) {
    fmt::print(stderr, "  hint: {}\n", hint);
  }
}

std::string command_hint(const CLI::App& app, int count, char** arguments) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  if (count > 1 && arguments[1][0] != '-' &&
      std::find(names.begin(), names.end(), arguments[1]) == names.end()) {
    return base::nearest_hint(arguments[1], names);
  }
  return "'dlbench --help' or 'dlbench COMMAND --help' lists the options";
}

int run(int count, char** arguments) {
  CLI::App app(
      "Compares deep-learning frameworks on the same work and says what in the comparison can be trusted.",
      "dlbench");
  app.set_version_flag("--version", build_info().version + " " + build_info().commit);
  app.require_subcommand(1);
  app.footer(
      "Exit codes: 0 done; 1 done, but a row is not OK; 2 a mistake in what was asked for; 70 a bug in "
      "dlbench.");
  Action action;
  add_commands(app, action);
  try {
    app.parse(count, arguments);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      return app.exit(error);
    }
    print_error(error.what(), {}, command_hint(app, count, arguments));
    return exit_user;
  }
  return action();
}

}  // namespace
}  // namespace dlbench::app

int main(int count, char** arguments) {
  using namespace dlbench;
  try {
    return app::run(count, arguments);
  } catch (const base::UserError& error) {
    app::print_error(error.what(), error.where(), error.hint());
    return app::exit_user;
  } catch (const std::exception& error) {
    fmt::print(stderr, "dlbench: bug: {}\n  please report it with the command that led here\n", error.what());
    return app::exit_bug;
  }
}
