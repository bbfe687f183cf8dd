// One subcommand: it adds its options to the command line and says what to do when it was chosen.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace dlbench::app {

// Exit codes: 0 done; 1 done, but a row is not OK; 2 the user's mistake; 70 a bug in dlbench.
inline constexpr int exit_ok = 0;
inline constexpr int exit_rows = 1;
inline constexpr int exit_user = 2;
inline constexpr int exit_bug = 70;

// Set by the subcommand that the user chose; returns the exit code.
using Action = std::function<int()>;

// Each file cmd_<name>.cpp defines one of these.
void add_list(CLI::App& app, Action& action);
void add_model(CLI::App& app, Action& action);
void add_install(CLI::App& app, Action& action);
void add_uninstall(CLI::App& app, Action& action);
void add_verify(CLI::App& app, Action& action);
void add_plan(CLI::App& app, Action& action);
void add_run(CLI::App& app, Action& action);
void add_status(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_doctor(CLI::App& app, Action& action);

}  // namespace dlbench::app
