#include "dlbench/verify_matrices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/nearest.hpp"
#include "base/parallel.hpp"
#include "data/synthetic.hpp"
#include "dlbench/command.hpp"
#include "dlbench/verify_table.hpp"
#include "dlbench/verify_world.hpp"
#include "frameworks/frameworks.hpp"
#include "gate/sample_recipes.hpp"
#include "host/machine.hpp"
#include "host/verify_case.hpp"
#include "host/verify_faults.hpp"
#include "host/verify_rows.hpp"
#include "model/op_spec.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::app {
namespace {

struct Judged {
  VerifyCell cell;
  bool is_sound = false;
};

std::vector<host::Runner> named_or_installed(const VerifyOptions& options, const frameworks::Places& places) {
  const bool are_named = !options.names.empty() || !options.runner_folder.empty();
  return are_named ? runners_of(options, places) : installed_runners(places);
}

using Prove = std::function<std::vector<Judged>(const host::Runner&, const host::Machine&)>;

struct ProvedColumn {
  VerifyColumn column;
  bool is_sound = true;
};

ProvedColumn prove_column(const host::Runner& runner, const host::Machine& machine, const Prove& prove) {
  ProvedColumn proved{{runner.manifest.name + "@" + runner.installed.version, {}}};
  for (Judged& judged : prove(runner, machine)) {
    proved.is_sound = proved.is_sound && judged.is_sound;
    proved.column.cells.push_back(std::move(judged.cell));
  }
  return proved;
}

// One for each framework, in their order; as many at once as the CPUs allow, and a word on stderr after each.
std::vector<ProvedColumn> prove_columns(const std::vector<host::Runner>& runners, const VerifyWorld& world,
                                        int threads, const Prove& prove) {
  std::vector<ProvedColumn> proved(runners.size());
  const std::vector<std::vector<int>> sets = host::cpu_sets(world.machine.cpus, threads, runners.size());
  std::atomic<std::size_t> ended = 0;
  base::for_each_index(runners.size(), sets.size(), [&](std::size_t i, std::size_t worker) {
    host::Machine share = world.machine;
    share.cpus = sets[worker];
    const host::HostConfinement confined({{}, share.cpus, false});  // the oracle's threads too
    const std::int64_t begin_ns = base::monotonic_ns();
    proved[i] = prove_column(runners[i], share, prove);
    fmt::print(stderr, "{}: {:.0f} s ({} of {})\n", proved[i].column.framework,
               static_cast<double>(base::monotonic_ns() - begin_ns) * 1e-9, ++ended, runners.size());
  });
  return proved;
}

// `corner` is the heading of the rows; `prove` gives one framework's column, on the CPUs of the machine that
// it is given; it is called by several threads at once.
int print_matrix(const VerifyOptions& options, const VerifyWorld& world, const std::string& corner,
                 const Prove& prove) {
  std::vector<host::Runner> runners = named_or_installed(options, world.places);
  bool all_sound = leave_out_missing(runners);
  std::vector<VerifyColumn> columns;
  for (ProvedColumn& proved : prove_columns(runners, world, options.threads, prove)) {
    columns.push_back(std::move(proved.column));
    all_sound = all_sound && proved.is_sound;
  }
  fmt::print("{}", options.markdown ? verify_markdown(columns) : verify_table(corner, columns));
  return all_sound ? exit_ok : exit_rows;
}

bool is_sound(record::OutcomeKind kind) {
  return kind == record::OutcomeKind::ok || kind == record::OutcomeKind::unsupported;
}

Judged judge_network(const std::string& network, const host::Verification& verification) {
  const record::Outcome& outcome = verification.outcome;
  Judged judged{{network, std::string(record::to_text(outcome.kind)), {}}, is_sound(outcome.kind)};
  if (outcome.kind != record::OutcomeKind::ok) {
    judged.cell.notes.push_back({network, record::to_text(outcome), verification.certificate.diagnosis});
    return judged;
  }
  const std::vector<std::string>& deviations = verification.certificate.deviations;
  judged.cell.text = deviations.empty() ? "PASS" : fmt::format("PASS with {}", fmt::join(deviations, ", "));
  return judged;
}

// Those of `only`, or all where that is empty. Throws base::UserError for a name that is not in `all`.
std::set<std::string> wanted_rows(const VerifyOptions& options, const std::vector<std::string>& all) {
  for (const std::string& name : options.only) {
    if (std::ranges::find(all, name) == all.end()) {
      throw base::UserError(fmt::format("--only: there is no row '{}'", name), {},
                            base::nearest_hint(name, all));
    }
  }
  const std::vector<std::string>& wanted = options.only.empty() ? all : options.only;
  return {wanted.begin(), wanted.end()};
}

template <class Rows, class Projection>
std::set<std::string> wanted_of(const VerifyOptions& options, const Rows& rows, Projection name_of) {
  std::vector<std::string> names;
  names.reserve(rows.size());
  for (const auto& row : rows) {
    names.push_back(std::invoke(name_of, row));
  }
  return wanted_rows(options, names);
}

// Every network with data of its shape.
std::vector<host::Workload> network_workloads(const VerifyOptions& options) {
  std::vector<host::Workload> workloads;
  const auto real = host::load_data(options.dataset, options.dataset_folder, zoo::lenet());
  const std::set<std::string> wanted = wanted_of(options, zoo::entries(), &zoo::Entry::name);
  for (const zoo::Entry& entry : zoo::entries()) {
    if (!wanted.contains(entry.name)) {
      continue;
    }
    const model::Graph graph = entry.build();
    const bool fits = graph.input_shape == real->train.shape && graph.class_count == real->class_count;
    workloads.push_back(host::make_workload(entry.name,
                                            fits ? real : host::load_data(data::synthetic_name, {}, graph),
                                            recipe_of(options), options.seed));
  }
  return workloads;
}

host::Proving proving_of(const VerifyOptions& options, const VerifyWorld& world, const host::Runner& runner,
                         const host::Machine& machine) {
  return {runner, machine, world.cache, world.log_folder, options.fresh, options.threads};
}

// Where a row has a single graph, the row's own name says more.
std::vector<VerifyNote> notes_of(const host::RowSummary& row) {
  std::vector<VerifyNote> notes;
  notes.reserve(row.problems.size());
  for (const host::RowProblem& problem : row.problems) {
    notes.push_back({row.graphs == 1 ? row.row : problem.graph, problem.outcome, problem.diagnosis});
  }
  return notes;
}

// What is planned for each task, made at most once; several threads may ask.
template <class Plan>
class PlansByTask {
 public:
  using Make = std::function<std::vector<Plan>(record::Task)>;
  explicit PlansByTask(Make make) : make_(std::move(make)) {}

  const std::vector<Plan>& of(record::Task task) {
    const std::scoped_lock lock(mutex_);
    if (!plans_.contains(task)) {
      plans_.emplace(task, make_(task));
    }
    return plans_.at(task);  // stays where it is when another one is added
  }

 private:
  Make make_;
  std::mutex mutex_;
  std::map<record::Task, std::vector<Plan>> plans_;
};

int print_rows(const VerifyOptions& options, const VerifyWorld& world, const std::string& corner,
               PlansByTask<host::RowPlan>::Make plan) {
  PlansByTask<host::RowPlan> plans(std::move(plan));
  return print_matrix(options, world, corner, [&](const host::Runner& runner, const host::Machine& machine) {
    std::vector<Judged> column;
    for (const host::RowSummary& row : host::summarise(host::prove_rows(
             plans.of(task_of(options, runner)), proving_of(options, world, runner, machine)))) {
      column.push_back({{row.row, host::to_text(row), notes_of(row)}, is_sound(row.kind)});
    }
    return column;
  });
}

}  // namespace

int verify_operators(const VerifyOptions& options) {
  const VerifyWorld world = open_verify_world();
  const auto wanted = wanted_of(options, model::builtin_ops(), &model::OpSpec::name);
  return print_rows(options, world, "operator",
                    [&](record::Task task) { return host::op_plans(world.cache, wanted, task); });
}

int verify_recipes(const VerifyOptions& options) {
  const VerifyWorld world = open_verify_world();
  const std::set<std::string> wanted = wanted_rows(options, gate::sample_recipe_names());
  return print_rows(options, world, "recipe",
                    [&](record::Task) { return host::recipe_plans(world.cache, wanted); });
}

int verify_networks(const VerifyOptions& options) {
  const VerifyWorld world = open_verify_world();
  const std::vector<host::Workload> workloads = network_workloads(options);
  return print_matrix(
      options, world, "network", [&](const host::Runner& runner, const host::Machine& machine) {
        std::vector<Judged> column;
        for (host::Workload workload : workloads) {
          workload.task = task_of(options, runner);
          host::WorkPlan plan(world.cache, host::gate_work(workload));
          const host::VerifyRequest request = {workload,         plan, runner, machine, options.threads,
                                               world.log_folder, {}};
          column.push_back(
              judge_network(workload.graph.name, host::verify_case(request, world.cache, options.fresh)));
        }
        return column;
      });
}

int verify_known_faults(const VerifyOptions& options) {
  const VerifyWorld world = open_verify_world();
  const auto wanted = wanted_of(options, gate::builtin_faults(), &gate::Fault::id);
  PlansByTask<host::FaultPlan> plans(
      [&](record::Task task) { return host::fault_plans(world.cache, wanted, task); });
  return print_matrix(options, world, "fault", [&](const host::Runner& runner, const host::Machine& machine) {
    std::vector<Judged> column;
    for (const host::FaultFinding& found : host::verify_faults(plans.of(task_of(options, runner)),
                                                               proving_of(options, world, runner, machine))) {
      const bool failed = found.notice == host::Notice::failed;
      column.push_back(
          {{found.fault, host::to_text(found), {}}, !failed && found.notice != host::Notice::missed});
      if (failed) {
        column.back().cell.notes = {{found.fault, found.detail, {}}};
      }
    }
    return column;
  });
}

}  // namespace dlbench::app
