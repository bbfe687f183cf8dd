#include "dlbench/verify_matrices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <utility>

#include "data/synthetic.hpp"
#include "dlbench/verify_table.hpp"
#include "dlbench/verify_world.hpp"
#include "frameworks/frameworks.hpp"
#include "host/verify_case.hpp"
#include "host/verify_faults.hpp"
#include "host/verify_ops.hpp"
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

// `corner` is the heading of the rows; `prove` gives one framework's column.
int print_matrix(const VerifyOptions& options, const VerifyWorld& world, const std::string& corner,
                 const std::function<std::vector<Judged>(const host::Runner&)>& prove) {
  std::vector<VerifyColumn> columns;
  const auto add_column = [&](const host::Runner& runner) {
    VerifyColumn& column =
        columns.emplace_back(VerifyColumn{runner.manifest.name + "@" + runner.installed.version, {}});
    bool is_sound = true;
    for (Judged& judged : prove(runner)) {
      is_sound = is_sound && judged.is_sound;
      column.cells.push_back(std::move(judged.cell));
    }
    return is_sound;
  };
  const int exit_code = for_each_installed(named_or_installed(options, world.places), add_column);
  fmt::print("{}", options.markdown ? verify_markdown(columns) : verify_table(corner, columns));
  return exit_code;
}

bool is_sound(record::OutcomeKind kind) {
  return kind == record::OutcomeKind::ok || kind == record::OutcomeKind::unsupported;
}

Judged judge_network(const std::string& network, const host::Verification& verification) {
  const record::Outcome& outcome = verification.outcome;
  Judged judged{{network, std::string(record::to_text(outcome.kind)), {}}, is_sound(outcome.kind)};
  if (outcome.kind != record::OutcomeKind::ok) {
    judged.cell.notes.push_back(fmt::format("{}: {}", network, record::to_text(outcome)));
    return judged;
  }
  const std::vector<std::string>& deviations = verification.certificate.deviations;
  judged.cell.text = deviations.empty() ? "PASS" : fmt::format("PASS with {}", fmt::join(deviations, ", "));
  return judged;
}

// Every network with data of its shape.
std::vector<host::Workload> network_workloads(const VerifyOptions& options) {
  std::vector<host::Workload> workloads;
  const auto real = host::load_data(options.dataset, options.dataset_folder, zoo::lenet());
  for (const zoo::Entry& entry : zoo::entries()) {
    const model::Graph graph = entry.build();
    const model::Shape sample = {real->train.channels, real->train.height, real->train.width};
    const bool fits = graph.input_shape == sample && graph.class_count == real->class_count;
    workloads.push_back(host::make_workload(entry.name,
                                            fits ? real : host::load_data(data::synthetic_name, {}, graph),
                                            recipe_of(options), options.seed));
  }
  return workloads;
}

}  // namespace

int verify_operators(const VerifyOptions& options) {
  const VerifyWorld world = open_verify_world();
  const std::vector<host::OpPlan> plans = host::op_plans(world.cache);
  return print_matrix(options, world, "operator", [&](const host::Runner& runner) {
    std::vector<Judged> column;
    for (const host::OpSummary& op :
         host::summarise(host::verify_ops(plans, runner, world.machine, world.log_folder))) {
      column.push_back({{op.op, host::to_text(op), op.problems}, is_sound(op.kind)});
    }
    return column;
  });
}

int verify_networks(const VerifyOptions& options) {
  const VerifyWorld world = open_verify_world();
  const std::vector<host::Workload> workloads = network_workloads(options);
  return print_matrix(options, world, "network", [&](const host::Runner& runner) {
    std::vector<Judged> column;
    for (const host::Workload& workload : workloads) {
      host::WorkPlan plan(world.cache, host::gate_work(workload));
      const host::VerifyRequest request = {workload,         plan, runner, world.machine, options.threads,
                                           world.log_folder, {}};
      column.push_back(
          judge_network(workload.graph.name, host::verify_case(request, world.cache, options.fresh)));
    }
    return column;
  });
}

int verify_known_faults(const VerifyOptions& options) {
  const VerifyWorld world = open_verify_world();
  const std::vector<host::FaultPlan> plans = host::fault_plans(world.cache);
  return print_matrix(options, world, "fault", [&](const host::Runner& runner) {
    std::vector<Judged> column;
    for (const host::FaultFinding& found :
         host::verify_faults(plans, runner, world.machine, world.log_folder)) {
      const bool failed = found.notice == host::Notice::failed;
      column.push_back(
          {{found.fault, host::to_text(found), {}}, !failed && found.notice != host::Notice::missed});
      if (failed) {
        column.back().cell.notes = {found.fault + ": " + found.detail};
      }
    }
    return column;
  });
}

}  // namespace dlbench::app
