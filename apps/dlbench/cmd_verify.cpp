// dlbench verify: takes frameworks through the gate and shows what was compared.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "dlbench/command.hpp"
#include "dlbench/narrator.hpp"
#include "dlbench/operator_table.hpp"
#include "host/verify_case.hpp"
#include "host/verify_ops.hpp"
#include "process/process.hpp"

namespace dlbench::app {
namespace {

struct VerifyOptions {
  std::vector<std::string> names;
  std::string runner_folder;
  std::string model = "lenet";
  std::string dataset = "fashion-mnist";
  std::string dataset_folder;
  std::int64_t batch = 64;
  double rate = 0.01;
  double momentum = 0.9;
  double weight_decay = 0.0;
  int threads = 1;
  std::uint64_t seed = 1;
  bool fresh = false;
  bool operators = false;
  std::string keep_folder;
};

host::Workload workload_of(const VerifyOptions& options) {
  model::Recipe recipe;
  recipe.batch = options.batch;
  recipe.rate.base = options.rate;
  recipe.optimizer.momentum = options.momentum;
  recipe.optimizer.weight_decay = options.weight_decay;
  recipe.initialiser.seed = options.seed;
  const auto dataset =
      std::make_shared<const data::Dataset>(data::load_dataset(options.dataset, options.dataset_folder));
  return host::make_workload(options.model, dataset, recipe, options.seed);
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
std::vector<host::Runner> runners_of_ops(const VerifyOptions& options, const frameworks::Places& places) {
  if (!options.names.empty() || !options.runner_folder.empty()) {
    return runners_of(options, places);
  }
  std::vector<host::Runner> runners;
  for (const frameworks::Manifest& manifest : frameworks::all_manifests(places)) {
    for (const frameworks::VersionEntry& entry : manifest.versions) {
      host::Runner runner = {places, manifest, frameworks::installed(places, manifest, entry.version)};
      if (runner.installed.state == frameworks::State::ready) {
        runners.push_back(std::move(runner));
      }
    }
  }
  if (runners.empty()) {
    throw base::UserError("no framework is installed", {}, "dlbench install NAME");
  }
  return runners;
}

// Exit code 1 when a framework is not there or an operator is anything but the same or not offered.
int verify_operators(const VerifyOptions& options) {
  process::become_reaper();
  process::sweep();
  const frameworks::Places places = frameworks::find_places();
  const std::vector<host::Runner> runners = runners_of_ops(options, places);
  const host::Machine machine = host::this_machine();
  const std::vector<host::OpPlan> plans = host::op_plans(host::CertificateCache(places.cache));
  const std::string folder = places.cache + "/logs";
  std::filesystem::create_directories(folder);
  int exit_code = exit_ok;
  std::vector<OperatorColumn> columns;
  for (const host::Runner& runner : runners) {
    if (runner.installed.state != frameworks::State::ready) {
      fmt::print("{}: NOT_INSTALLED({})\n", runner.manifest.name, runner.installed.why_not);
      exit_code = exit_rows;
      continue;
    }
    columns.push_back({runner.manifest.name + "@" + runner.installed.version,
                       host::summarise(host::verify_ops(plans, runner, machine, folder))});
    const bool sound = std::ranges::all_of(columns.back().operators, [](const host::OpSummary& op) {
      return op.kind == record::OutcomeKind::ok || op.kind == record::OutcomeKind::unsupported;
    });
    exit_code = sound ? exit_code : exit_rows;
  }
  fmt::print("{}", operator_table(columns));
  return exit_code;
}

int verify(const VerifyOptions& options) {
  process::become_reaper();
  process::sweep();
  const frameworks::Places places = frameworks::find_places();
  const std::vector<host::Runner> runners = runners_of(options, places);
  const host::Machine machine = host::this_machine();
  const host::Workload workload = workload_of(options);
  const gate::Work work = host::gate_work(workload);
  const host::CertificateCache cache(places.cache);
  const gate::Plan plan = cache.plan(gate::plan_key(work), [&] { return gate::make_plan(work); });
  const std::string folder = places.cache + "/logs";
  std::filesystem::create_directories(folder);
  int exit_code = exit_ok;
  for (const host::Runner& runner : runners) {
    if (runner.installed.state != frameworks::State::ready) {
      fmt::print("{}: NOT_INSTALLED({})\n", runner.manifest.name, runner.installed.why_not);
      exit_code = exit_rows;
      continue;
    }
    const host::VerifyRequest request = {workload,           plan, runner, machine, options.threads, folder,
                                         options.keep_folder};
    const bool fresh = options.fresh || !options.keep_folder.empty();
    const host::Verification verification = host::verify_case(request, cache, fresh);
    fmt::print("{}, {} threads: {}\n", host::title(runner), options.threads, verdict_text(verification));
    print_certificate(verification.certificate);
    exit_code = verification.outcome.kind == record::OutcomeKind::ok ? exit_code : exit_rows;
  }
  return exit_code;
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
  command->add_option("--batch", options->batch, "rows of a full batch")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  command->add_option("--rate", options->rate, "learning rate")->capture_default_str();
  command->add_option("--momentum", options->momentum, "momentum of sgd")->capture_default_str();
  command->add_option("--weight-decay", options->weight_decay, "L2 coefficient")->capture_default_str();
  command->add_option("--threads", options->threads, "CPUs that the runner may use")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  command->add_option("--seed", options->seed, "seed of weights and data order")->capture_default_str();
  command->add_flag("--fresh", options->fresh, "prove again, even if a certificate is cached");
  command->add_flag(
      "--ops", options->operators,
      "prove every operator on small graphs of its own instead of a network; without names: of every "
      "installed framework");
  command->add_option("--keep", options->keep_folder, "save arena and commands here, for DLBENCH_REPLAY");
  command->callback([&action, options] {
    action = [options] { return options->operators ? verify_operators(*options) : verify(*options); };
  });
}

}  // namespace dlbench::app
