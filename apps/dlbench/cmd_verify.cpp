// dlbench verify: takes frameworks through the gate and shows what was compared.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <map>
#include <vector>

#include "base/error.hpp"
#include "dlbench/command.hpp"
#include "dlbench/narrator.hpp"
#include "dlbench/verify_matrices.hpp"
#include "dlbench/verify_options.hpp"
#include "dlbench/verify_world.hpp"
#include "host/verify_case.hpp"

namespace dlbench::app {
namespace {

void print_certificate(const record::Certificate& certificate) {
  fmt::print("  {:<18} {:<10} {:<16} {:>10} {:>10}\n", "experiment", "quantity", "worst tensor", "error",
             "limit");
  for (const record::Check& check : certificate.checks) {
    fmt::print("  {:<18} {:<10} {:<16} {:>10.2e} {:>10.2e}{}\n", check.experiment, check.quantity,
               check.tensor, check.error, check.limit, check.passed ? "" : "  FAILED");
  }
  for (const std::string& note : certificate.notes) {
    fmt::print("  note: {}\n", note);
  }
  fmt::print("  {:<30}  {}\n", "fault", "simulated effect / limit");
  for (const record::FaultEffect& fault : certificate.faults) {
    fmt::print(
        "  {:<30}  {}\n", fault.fault,
        fault.provable ? fmt::format("{:.3g}", fault.effect_over_limit) : std::string("not provable here"));
  }
}

int verify(const VerifyOptions& options) {
  const VerifyWorld world = open_verify_world();
  std::vector<host::Runner> runners = runners_of(options, world.places);
  if (!options.keep_folder.empty() && runners.size() > 1) {
    throw base::UserError(
        fmt::format("--keep saves one conversation, {} frameworks are named", runners.size()), "--keep",
        "name one");
  }
  bool all_passed = leave_out_missing(runners);
  host::Workload workload = workload_of(options);
  std::map<record::Task, host::WorkPlan> plans;
  const bool fresh = options.fresh || !options.keep_folder.empty();
  for (const host::Runner& runner : runners) {
    workload.task = task_of(options, runner);
    if (!plans.contains(workload.task)) {
      plans.try_emplace(workload.task, world.cache, host::gate_work(workload));
    }
    host::WorkPlan& plan = plans.at(workload.task);
    const host::VerifyRequest request = {
        workload, plan, runner, world.machine, options.threads, world.log_folder, options.keep_folder};
    const host::Verification verification = host::verify_case(request, world.cache, fresh);
    fmt::print("{}, {}: {}\n", host::title(runner), record::thread_text(options.threads),
               verdict_text(verification));
    print_certificate(verification.certificate);
    all_passed = all_passed && verification.outcome.kind == record::OutcomeKind::ok;
  }
  return all_passed ? exit_ok : exit_rows;
}

int dispatch(const VerifyOptions& options) {
  const bool is_table = options.operators || options.recipes || options.networks || options.faults;
  if ((!options.only.empty() || options.markdown) && !is_table) {
    throw base::UserError(fmt::format("{} needs --ops, --recipes, --networks or --faults",
                                      options.markdown ? "--markdown" : "--only"));
  }
  if (options.recipes) {
    return verify_recipes(options);
  }
  if (options.faults) {
    return verify_known_faults(options);
  }
  if (options.networks) {
    return verify_networks(options);
  }
  return options.operators ? verify_operators(options) : verify(options);
}

void exclude_all(CLI::Option& option, const std::vector<CLI::Option*>& others) {
  for (CLI::Option* other : others) {
    option.excludes(other);
  }
}

// Tables of many proofs instead of one network's. `of_one` say what a single proof is of, `of_all` what each
// network's is of besides; where a table has its own, they are refused. Returns --recipes, which are of
// training.
CLI::Option* add_table_options(CLI::App& command, VerifyOptions& options,
                               const std::vector<CLI::Option*>& of_one,
                               const std::vector<CLI::Option*>& of_all) {
  CLI::Option* operators = command.add_flag(
      "--ops", options.operators,
      "prove every operator on small graphs of its own instead of a network; without names: of every "
      "installed framework");
  CLI::Option* recipes = command.add_flag(
      "--recipes", options.recipes,
      "prove every optimizer, clipping and averaging of weights on a small network; without names: of every "
      "installed framework");
  CLI::Option* networks = command.add_flag("--networks", options.networks,
                                           "prove every built-in network, on --data where its shape fits, "
                                           "else on synthetic samples; without names: "
                                           "of every installed framework");
  CLI::Option* faults = command.add_flag(
      "--faults", options.faults,
      "hand every known fault to the frameworks and look whether it is noticed; without names: to every "
      "installed one");
  const std::array tables = {operators, recipes, networks, faults};
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      tables[i]->excludes(tables[j]);
    }
    exclude_all(*tables[i], of_one);
    if (tables[i] != networks) {
      exclude_all(*tables[i], of_all);
    }
  }
  command
      .add_option("--only", options.only,
                  "these rows of the table of --ops, --recipes, --networks or --faults, comma-separated")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_flag("--markdown", options.markdown,
                   "print the table of --ops, --recipes, --networks or --faults as Markdown");
  return recipes;
}

// What a network is proved on; a recipe is either a file or these few numbers.
std::vector<CLI::Option*> add_work_options(CLI::App& command, VerifyOptions& options) {
  CLI::Option* recipe =
      command.add_option("--recipe", options.recipe_file,
                         "recipe: a .json file (docs/formats/graph.md) or that of a study file");
  const std::vector numbers = {
      command.add_option("--batch", options.batch, "rows of a full batch")
          ->check(CLI::Range(1, 1'000'000))
          ->capture_default_str(),
      command.add_option("--rate", options.rate, "learning rate")->capture_default_str(),
      command.add_option("--momentum", options.momentum, "momentum of sgd")->capture_default_str(),
      command.add_option("--weight-decay", options.weight_decay, "L2 coefficient")->capture_default_str()};
  exclude_all(*recipe, numbers);
  std::vector<CLI::Option*> all = {
      recipe, command.add_option("--data", options.dataset, "data set")->capture_default_str(),
      command.add_option("--data-folder", options.dataset_folder, "where its files are"),
      command.add_option("--seed", options.seed, "seed of weights and data order")->capture_default_str()};
  all.insert(all.end(), numbers.begin(), numbers.end());
  return all;
}

}  // namespace

void add_verify(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("verify", "Take frameworks through the gate, without timing anything");
  const auto options = std::make_shared<VerifyOptions>();
  command->add_option("frameworks", options->names, "NAME or NAME@VERSION of installed frameworks");
  command->add_option("--runner", options->runner_folder,
                      "folder of a runner outside this tree (with manifest.yaml)");
  CLI::Option* model =
      command->add_option("--model", options->model, "built-in network or graph file")->capture_default_str();
  const std::vector<CLI::Option*> work = add_work_options(*command, *options);
  command
      ->add_option("--threads", options->threads,
                   "CPUs that a runner may use; tables prove as many frameworks at once as that allows")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  CLI::Option* inference =
      command->add_flag("--inference", options->inference,
                        "prove evaluation alone: logits and classes; what cannot train is proved so unasked");
  command->add_flag("--fresh", options->fresh, "prove again, even if a certificate is cached");
  CLI::Option* keep =
      command->add_option("--keep", options->keep_folder, "save arena and commands here, for DLBENCH_REPLAY");
  add_table_options(*command, *options, {model, keep}, work)->excludes(inference);
  command->callback([&action, options] { action = [options] { return dispatch(*options); }; });
}

}  // namespace dlbench::app
