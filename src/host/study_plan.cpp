#include "host/study_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/philox.hpp"
#include "model/json.hpp"

namespace dlbench::host {
namespace {

// Start, build, recheck and stop of one run, seen on small machines; only for estimates.
constexpr double start_allowance_seconds = 3.0;

std::vector<int> resolve_threads(const std::vector<int>& threads, const Machine& machine) {
  const int all = static_cast<int>(machine.cpus.size());
  std::vector<int> resolved;
  for (const int count : threads) {
    const int value = count == study::all_threads ? all : count;
    static_cast<void>(place(machine.cpus, value));
    if (std::find(resolved.begin(), resolved.end(), value) == resolved.end()) {
      resolved.push_back(value);
    }
  }
  return resolved;
}

Runner resolve_runner(const study::Study& study, const study::FrameworkChoice& choice,
                      const frameworks::Places& places) {
  try {
    Runner runner;
    runner.places = places;
    runner.manifest = frameworks::find_manifest(places, choice.name);
    runner.installed = frameworks::use(places, runner.manifest, choice.version);
    return runner;
  } catch (const base::UserError& error) {
    const std::string where =
        error.where().empty() ? fmt::format("{}:{}", study.path, choice.line) : error.where();
    throw base::UserError(error.what(), where, error.hint());
  }
}

std::string text(const study::WindowSettings& windows) {
  return fmt::format("warm-up {} steps {} s; W1 {} steps {} s; W2 {} steps {} s", windows.warm_up_steps,
                     windows.warm_up_seconds, windows.w1_steps, windows.w1_seconds, windows.w2_steps,
                     windows.w2_seconds);
}

record::Case make_case(const StudyPlan& plan, const Runner& runner, int threads, bool convergence) {
  const study::Study& study = plan.study;
  record::Case measured;
  measured.study_phase = convergence ? "convergence" : "throughput";
  measured.framework = runner.manifest.name;
  measured.version = runner.installed.version;
  measured.model = plan.workload.graph.name;
  measured.dataset = plan.workload.dataset->name;
  measured.batch = study.recipe.batch;
  measured.threads = threads;
  measured.is_reference = runner.manifest.is_reference;
  measured.factors = {{"phase", measured.study_phase},
                      {"framework", measured.framework},
                      {"version", measured.version},
                      {"model", base::hash_hex(plan.workload.graph_json)},
                      {"recipe", plan.workload.recipe_json},
                      {"data", plan.workload.dataset->digest},
                      {"batch", std::to_string(measured.batch)},
                      {"threads", std::to_string(threads)},
                      {"device", "cpu"},
                      {"precision", "fp32"},
                      {"seed", std::to_string(study.seed)}};
  if (plan.workload.task != record::Task::training) {
    measured.factors.insert({"task", std::string(record::to_text(plan.workload.task))});
  }
  measured.factors.insert(convergence ? std::pair("epochs", std::to_string(study.convergence_epochs))
                                      : std::pair("windows", text(study.windows)));
  std::string key;
  for (const auto& [name, value] : measured.factors) {
    key += fmt::format("{}={}\n", name, value);
  }
  measured.id = base::hash_hex(key);
  return measured;
}

std::vector<PlannedCase> make_cases(const StudyPlan& plan, const std::vector<int>& threads,
                                    bool convergence) {
  std::vector<PlannedCase> cases;
  for (const int count : resolve_threads(threads, plan.machine)) {
    for (std::size_t i = 0; i < plan.runners.size(); ++i) {
      cases.push_back({make_case(plan, plan.runners[i], count, convergence), i});
    }
  }
  return cases;
}

// The default version and the same one by its number are one framework.
void refuse_repeated(const StudyPlan& plan) {
  for (std::size_t i = 0; i < plan.runners.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Runner& runner = plan.runners[i];
      if (runner.manifest.name == plan.runners[j].manifest.name &&
          runner.installed.version == plan.runners[j].installed.version) {
        throw base::UserError(fmt::format("framework '{}' is listed twice in version {}",
                                          runner.manifest.name, runner.installed.version),
                              fmt::format("{}:{}", plan.study.path, plan.study.frameworks[i].line));
      }
    }
  }
}

// The version belongs to the base's name where other versions of it are compared.
std::string base_name(const StudyPlan& plan) {
  const Runner& base = plan.runners.at(plan.study.base_index);
  const auto versions = std::count_if(plan.runners.begin(), plan.runners.end(), [&](const Runner& other) {
    return other.manifest.name == base.manifest.name;
  });
  return versions == 1 ? base.manifest.name
                       : fmt::format("{} {}", base.manifest.name, base.installed.version);
}

// Pairs are fixed by the study alone: a framework that is not installed stays in the family.
analysis::Family make_family(const StudyPlan& plan) {
  analysis::Family family;
  family.base = base_name(plan);
  family.alpha = plan.study.alpha;
  family.margin_ratio = plan.study.margin_ratio;
  family.blocks = plan.study.blocks;
  family.accepted_deviations = plan.study.accepted_deviations;
  for (const PlannedCase& base : plan.throughput) {
    if (base.runner != plan.study.base_index) {
      continue;
    }
    if (base.measured_case.is_reference) {
      throw base::UserError(
          fmt::format("the base '{}' is the yardstick, which is never compared", family.base),
          plan.study.path, "name a framework as base");
    }
    for (const PlannedCase& other : plan.throughput) {
      const record::Case& compared = other.measured_case;
      if (compared.threads == base.measured_case.threads && other.runner != base.runner &&
          !compared.is_reference) {
        family.pairs.emplace_back(compared.id, base.measured_case.id);
      }
    }
  }
  return family;
}

std::string plan_id(const StudyPlan& plan) {
  std::string text = plan.study.text + analysis::to_json(plan.family);
  for (const auto* cases : {&plan.throughput, &plan.convergence}) {
    for (const PlannedCase& planned : *cases) {
      text += planned.measured_case.id;
    }
  }
  return base::hash_hex(text);
}

}  // namespace

StudyPlan make_study_plan(const study::Study& study, const frameworks::Places& places, bool allow_weak) {
  StudyPlan plan;
  plan.study = study;
  plan.machine = this_machine();
  for (const study::FrameworkChoice& choice : study.frameworks) {
    plan.runners.push_back(resolve_runner(study, choice, places));
  }
  refuse_repeated(plan);
  const auto dataset = load_data(study.dataset, study.dataset_folder, read_model(study.model));
  plan.workload = make_workload(study.model, dataset, study.recipe, study.seed, study.task);
  plan.throughput = make_cases(plan, study.threads, false);
  if (study.convergence_epochs > 0) {
    plan.convergence = make_cases(plan, study.convergence_threads, true);
  }
  plan.family = make_family(plan);
  if (!allow_weak && !plan.family.pairs.empty()) {
    analysis::require_power(plan.family);
  }
  plan.id = plan_id(plan);
  return plan;
}

std::vector<std::uint32_t> block_order(std::uint64_t seed, int block, std::size_t case_count) {
  const base::Random random(seed, base::Stream::block_order, static_cast<std::uint64_t>(block));
  return random.permutation(static_cast<std::uint32_t>(case_count));
}

double estimated_seconds(const StudyPlan& plan) {
  const study::WindowSettings& windows = plan.study.windows;
  const double run_seconds =
      windows.warm_up_seconds + windows.w1_seconds + windows.w2_seconds + start_allowance_seconds;
  return run_seconds * static_cast<double>(plan.throughput.size()) * plan.study.blocks;
}

}  // namespace dlbench::host
