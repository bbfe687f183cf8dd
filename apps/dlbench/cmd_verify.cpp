// dlbench verify: takes frameworks through the gate and shows what was compared.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.hpp"
#include "base/text_file.hpp"
#include "dlbench/command.hpp"
#include "dlbench/narrator.hpp"
#include "dlbench/verify_table.hpp"
#include "dlbench/verify_world.hpp"
#include "host/verify_case.hpp"
#include "host/verify_faults.hpp"
#include "host/verify_ops.hpp"
#include "model/json.hpp"
#include "study/study.hpp"

namespace dlbench::app {
namespace {

constexpr std::size_t recipe_max_bytes = 1U << 20U;

struct VerifyOptions {
  std::vector<std::string> names;
  std::string runner_folder;
  std::string model = "lenet";
  std::string dataset = "fashion-mnist";
  std::string dataset_folder;
  std::string recipe_file;
  std::int64_t batch = 64;
  double rate = 0.01;
  double momentum = 0.9;
  double weight_decay = 0.0;
  int threads = 1;
  std::uint64_t seed = 1;
  bool fresh = false;
  bool operators = false;
  bool faults = false;
  bool markdown = false;
  std::string keep_folder;
};

// Of a file, or of the options for plain sgd.
model::Recipe recipe_of(const VerifyOptions& options) {
  if (options.recipe_file.ends_with(".json")) {
    return model::recipe_from_json(base::read_text_file(options.recipe_file, recipe_max_bytes));
  }
  if (!options.recipe_file.empty()) {
    return study::read_study(options.recipe_file).recipe;
  }
  model::Recipe recipe;
  recipe.batch = options.batch;
  recipe.rate.base = options.rate;
  recipe.optimizer.momentum = options.momentum;
  recipe.optimizer.weight_decay = options.weight_decay;
  recipe.initialiser.seed = options.seed;
  return recipe;
}

host::Workload workload_of(const VerifyOptions& options) {
  const auto dataset =
      std::make_shared<const data::Dataset>(data::load_dataset(options.dataset, options.dataset_folder));
  return host::make_workload(options.model, dataset, recipe_of(options), options.seed);
}

std::vector<host::Runner> runners_of(const VerifyOptions& options, const frameworks::Places& places) {
  std::vector<host::Runner> runners;
  for (const std::string& text : options.names) {
    const auto [name, version] = frameworks::split_version(text);
    host::Runner runner = {places, frameworks::find_manifest(places, name), {}};
    runner.installed = frameworks::installed(places, runner.manifest, version);
    runners.push_back(std::move(runner));
  }
  if (!options.runner_folder.empty()) {
    host::Runner runner = {places, frameworks::read_manifest(options.runner_folder), {}};
    runner.installed = frameworks::install(places, runner.manifest, {},
                                           [](const std::string& line) { fmt::print(stderr, "{}\n", line); });
    runners.push_back(std::move(runner));
  }
  if (runners.empty()) {
    throw base::UserError("nothing to verify", {},
                          "name installed frameworks, or a runner's folder with --runner");
  }
  return runners;
}

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
  fmt::print("  {:<24} {}\n", "fault", "simulated effect / limit");
  for (const record::FaultEffect& fault : certificate.faults) {
    fmt::print(
        "  {:<24} {}\n", fault.fault,
        fault.provable ? fmt::format("{:.3g}", fault.effect_over_limit) : std::string("not provable here"));
  }
}

// Every framework that was named, or every installed one.
std::vector<host::Runner> named_or_installed(const VerifyOptions& options, const frameworks::Places& places) {
  const bool are_named = !options.names.empty() || !options.runner_folder.empty();
  return are_named ? runners_of(options, places) : installed_runners(places);
}

std::string column_name(const host::Runner& runner) {
  return runner.manifest.name + "@" + runner.installed.version;
}

void print_table(const VerifyOptions& options, const std::string& corner,
                 const std::vector<VerifyColumn>& columns) {
  fmt::print("{}", options.markdown ? verify_markdown(columns) : verify_table(corner, columns));
}

// Exit code 1 when a framework is not there or an operator is anything but the same or not offered.
int verify_operators(const VerifyOptions& options) {
  const VerifyWorld world = open_verify_world();
  const std::vector<host::Runner> runners = named_or_installed(options, world.places);
  const std::vector<host::OpPlan> plans = host::op_plans(world.cache);
  std::vector<VerifyColumn> columns;
  const int exit_code = for_each_installed(runners, [&](const host::Runner& runner) {
    VerifyColumn& column = columns.emplace_back(VerifyColumn{column_name(runner), {}});
    bool sound = true;
    for (const host::OpSummary& op :
         host::summarise(host::verify_ops(plans, runner, world.machine, world.log_folder))) {
      column.cells.push_back({op.op, host::to_text(op), op.problems});
      sound = sound && (op.kind == record::OutcomeKind::ok || op.kind == record::OutcomeKind::unsupported);
    }
    return sound;
  });
  print_table(options, "operator", columns);
  return exit_code;
}

// Exit code 1 when a framework is not there, a fault was missed, or it could not be tried.
int verify_known_faults(const VerifyOptions& options) {
  const VerifyWorld world = open_verify_world();
  const std::vector<host::Runner> runners = named_or_installed(options, world.places);
  const std::vector<host::FaultPlan> plans = host::fault_plans(world.cache);
  std::vector<VerifyColumn> columns;
  const int exit_code = for_each_installed(runners, [&](const host::Runner& runner) {
    VerifyColumn& column = columns.emplace_back(VerifyColumn{column_name(runner), {}});
    bool sound = true;
    for (const host::FaultFinding& found :
         host::verify_faults(plans, runner, world.machine, world.log_folder)) {
      const bool failed = found.notice == host::Notice::failed;
      column.cells.push_back(
          {found.fault, host::to_text(found),
           failed ? std::vector{found.fault + ": " + found.detail} : std::vector<std::string>{}});
      sound = sound && !failed && found.notice != host::Notice::missed;
    }
    return sound;
  });
  print_table(options, "fault", columns);
  return exit_code;
}

int verify(const VerifyOptions& options) {
  const VerifyWorld world = open_verify_world();
  const std::vector<host::Runner> runners = runners_of(options, world.places);
  const host::Workload workload = workload_of(options);
  host::WorkPlan plan(world.cache, host::gate_work(workload));
  const bool fresh = options.fresh || !options.keep_folder.empty();
  return for_each_installed(runners, [&](const host::Runner& runner) {
    const host::VerifyRequest request = {
        workload, plan, runner, world.machine, options.threads, world.log_folder, options.keep_folder};
    const host::Verification verification = host::verify_case(request, world.cache, fresh);
    fmt::print("{}, {}: {}\n", host::title(runner), record::thread_text(options.threads),
               verdict_text(verification));
    print_certificate(verification.certificate);
    return verification.outcome.kind == record::OutcomeKind::ok;
  });
}

}  // namespace

void add_verify(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("verify", "Take frameworks through the gate, without timing anything");
  const auto options = std::make_shared<VerifyOptions>();
  command->add_option("frameworks", options->names, "NAME or NAME@VERSION of installed frameworks");
  command->add_option("--runner", options->runner_folder,
                      "folder of a runner outside this tree (with manifest.yaml)");
  command->add_option("--model", options->model, "built-in network or graph file")->capture_default_str();
  command->add_option("--data", options->dataset, "data set")->capture_default_str();
  command->add_option("--data-folder", options->dataset_folder, "where its files are");
  CLI::Option* recipe =
      command->add_option("--recipe", options->recipe_file,
                          "recipe: a .json file (docs/formats/graph.md) or that of a study file");
  command->add_option("--batch", options->batch, "rows of a full batch")
      ->excludes(recipe)
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--rate", options->rate, "learning rate")->excludes(recipe)->capture_default_str();
  command->add_option("--momentum", options->momentum, "momentum of sgd")
      ->excludes(recipe)
      ->capture_default_str();
  command->add_option("--weight-decay", options->weight_decay, "L2 coefficient")
      ->excludes(recipe)
      ->capture_default_str();
  command->add_option("--threads", options->threads, "CPUs that the runner may use")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "seed of weights and data order")->capture_default_str();
  command->add_flag("--fresh", options->fresh, "prove again, even if a certificate is cached");
  CLI::Option* operators = command->add_flag(
      "--ops", options->operators,
      "prove every operator on small graphs of its own instead of a network; without names: of every "
      "installed framework");
  command
      ->add_flag("--faults", options->faults,
                 "hand every known fault to the frameworks and look whether it is noticed; without names: to "
                 "every installed one")
      ->excludes(operators);
  command->add_flag("--markdown", options->markdown, "print the table of --ops or --faults as Markdown");
  command->add_option("--keep", options->keep_folder, "save arena and commands here, for DLBENCH_REPLAY");
  command->callback([&action, options] {
    action = [options] {
      if (options->faults) {
        return verify_known_faults(*options);
      }
      return options->operators ? verify_operators(*options) : verify(*options);
    };
  });
}

}  // namespace dlbench::app
