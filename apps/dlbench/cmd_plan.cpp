// dlbench plan: what a study would do here, without doing it.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "dlbench/command.hpp"
#include "host/certificate_cache.hpp"
#include "host/study_plan.hpp"
#include "host/verify_case.hpp"

namespace dlbench::app {
namespace {

std::string framework_of(const host::StudyPlan& plan, const host::PlannedCase& planned) {
  return planned.measured_case.framework + "@" + plan.runners[planned.runner].installed.version;
}

std::size_t widest_framework(const host::StudyPlan& plan) {
  std::size_t widest = 0;
  for (const host::PlannedCase& planned : plan.throughput) {
    widest = std::max(widest, framework_of(plan, planned).size());
  }
  return widest;
}

void print_case(const host::StudyPlan& plan, const host::PlannedCase& planned, int runs,
                frameworks::Survey& survey) {
  const host::Runner& runner = plan.runners[planned.runner];
  const bool ready = runner.installed.state == frameworks::State::ready;
  fmt::print("  {}  {:<11}  {:<{}}  {:<9}  {} run{}{}\n", planned.measured_case.id.substr(0, 12),
             planned.measured_case.study_phase, framework_of(plan, planned), widest_framework(plan),
             record::thread_text(planned.measured_case.threads), runs, runs == 1 ? "" : "s",
             ready ? std::string{} : "  NOT_INSTALLED: " + survey.why_not(runner.manifest, runner.installed));
}

void print_plan(const host::StudyPlan& plan) {
  fmt::print("study {} ({}), plan {}\n", plan.study.name, plan.study.path, plan.id.substr(0, 12));
  fmt::print("cases:\n");
  frameworks::Survey survey;
  for (const host::PlannedCase& planned : plan.throughput) {
    print_case(plan, planned, plan.study.blocks, survey);
  }
  for (const host::PlannedCase& planned : plan.convergence) {
    print_case(plan, planned, 1, survey);
  }
  const analysis::Family& family = plan.family;
  fmt::print(
      "family: {} comparison{} with {} on {}, alpha {}, margin {} %, {} blocks ({} needed)\n",
      family.pairs.size(), family.pairs.size() == 1 ? "" : "s", family.base, family.metric, family.alpha,
      100.0 * family.margin_ratio, family.blocks,
      stats::runs_needed(family.alpha, static_cast<int>(std::max<std::size_t>(1, family.pairs.size()))));
  const host::CertificateCache cache(plan.runners.front().places.cache);
  const bool known = cache.has_plan(gate::plan_key(host::gate_work(plan.workload)));
  fmt::print("oracle: {}\n",
             known ? "results are cached" : "results will be computed first (seconds to minutes)");
  fmt::print("about {:.0f} minutes of runs, convergence not counted\n", host::estimated_seconds(plan) / 60.0);
}

}  // namespace

void add_plan(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("plan", "Show what a study would do here, without doing it");
  const auto path = std::make_shared<std::string>();
  const auto weak = std::make_shared<bool>(false);
  command->add_option("study", *path, "study file (.yaml)")->required();
  command->add_flag("--allow-weak", *weak, "accept too few blocks to show any difference");
  command->callback([&action, path, weak] {
    action = [path, weak] {
      print_plan(host::make_study_plan(study::read_study(*path), frameworks::find_places(), *weak));
      return exit_ok;
    };
  });
}

}  // namespace dlbench::app
