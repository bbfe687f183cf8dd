// dlbench verify: takes frameworks through the gate and shows what was compared.

#include <fmt/format.h>

#include <CLI/CLI.hpp>

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
  fmt::print("  {:<24} {}\n", "fault", "simulated effect / limit");
  for (const record::FaultEffect& fault : certificate.faults) {
    fmt::print(
        "  {:<24} {}\n", fault.fault,
        fault.provable ? fmt::format("{:.3g}", fault.effect_over_limit) : std::string("not provable here"));
  }
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
  CLI::Option* networks = command->add_flag("--networks", options->networks,
                                            "prove every built-in network, on --data where its shape fits, "
                                            "else on synthetic pictures; without names: "
                                            "of every installed framework");
  networks->excludes(operators);
  command
      ->add_flag("--faults", options->faults,
                 "hand every known fault to the frameworks and look whether it is noticed; without names: to "
                 "every installed one")
      ->excludes(operators)
      ->excludes(networks);
  command->add_flag("--markdown", options->markdown,
                    "print the table of --ops, --networks or --faults as Markdown");
  command->add_option("--keep", options->keep_folder, "save arena and commands here, for DLBENCH_REPLAY");
  command->callback([&action, options] {
    action = [options] {
      if (options->faults) {
        return verify_known_faults(*options);
      }
      if (options->networks) {
        return verify_networks(*options);
      }
      return options->operators ? verify_operators(*options) : verify(*options);
    };
  });
}

}  // namespace dlbench::app
