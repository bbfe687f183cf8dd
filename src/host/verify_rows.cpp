#include "host/verify_rows.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "gate/sample_recipes.hpp"
#include "gate/sample_work.hpp"
#include "host/runner_experiment.hpp"
#include "model/op_spec.hpp"

namespace dlbench::host {
namespace {

// Few rows keep the oracle cheap; six and two are no multiples of any vector.
constexpr std::int64_t full_batch = 6;
constexpr std::int64_t partial_batch = 2;
// What recipes are proved on: a convolution, a relu, a dense layer.
const std::string trained_graph = "three_planes";

// Of two outcomes the one that a reader must see: a wrong number before a dead process before a refusal.
int severity(record::OutcomeKind kind) {
  switch (kind) {
    case record::OutcomeKind::ok:
      return 0;
    case record::OutcomeKind::unsupported:
      return 1;
    case record::OutcomeKind::unverified:
      return 2;
    case record::OutcomeKind::mismatch:
      return 4;
    default:
      return 3;
  }
}

gate::Plan plan_of(const CertificateCache& cache, const gate::Work& work) {
  return cache.plan(gate::plan_key(work), [&work] { return gate::make_plan(work); });
}

void take(RowSummary& summary, const RowFinding& finding) {
  ++summary.graphs;
  if (finding.outcome.kind == record::OutcomeKind::ok) {
    ++summary.passed;
  } else {
    summary.problems.push_back({finding.graph, record::to_text(finding.outcome), finding.diagnosis});
  }
  if (severity(finding.outcome.kind) > severity(summary.kind)) {
    summary.kind = finding.outcome.kind;
  }
  for (const std::string& deviation : finding.deviations) {
    if (std::ranges::find(summary.deviations, deviation) == summary.deviations.end()) {
      summary.deviations.push_back(deviation);
    }
  }
}

}  // namespace

std::vector<RowPlan> op_plans(const CertificateCache& cache, const std::set<std::string>& ops,
                              record::Task task) {
  std::vector<RowPlan> plans;
  for (const model::OpSpec& op : model::builtin_ops()) {
    if (!ops.contains(op.name)) {
      continue;
    }
    for (const model::Graph& graph : op.test_graphs()) {
      gate::Work work = gate::sample_work(graph, full_batch, partial_batch);
      work.task = task;
      plans.push_back({op.name, graph.name, plan_of(cache, work)});
    }
  }
  return plans;
}

std::vector<RowPlan> recipe_plans(const CertificateCache& cache, const std::set<std::string>& recipes) {
  std::vector<RowPlan> plans;
  for (const std::string& name : gate::sample_recipe_names()) {
    if (!recipes.contains(name)) {
      continue;
    }
    gate::Work work = gate::sample_work(*gate::fault_graph(trained_graph), full_batch, partial_batch);
    work.recipe = gate::sample_recipe(name, work.recipe).value();
    plans.push_back({name, trained_graph, plan_of(cache, work)});
  }
  return plans;
}

std::vector<RowFinding> prove_rows(const std::vector<RowPlan>& plans, const Proving& proving) {
  std::uint64_t arena_bytes = 0;
  for (const RowPlan& plan : plans) {
    arena_bytes = std::max(arena_bytes, arena_bytes_for(experiments_of(plan.plan)));
  }
  PlanProcess process(proving, arena_bytes);
  std::vector<RowFinding> findings;
  findings.reserve(plans.size());
  for (const RowPlan& plan : plans) {
    const Proof proof = process.prove(plan.plan, plan.plan, full_batch, partial_batch);
    const record::Certificate& certificate = proof.certificate;
    findings.push_back({plan.row, plan.graph, proof.outcome, certificate.deviations, certificate.diagnosis});
  }
  process.stop();
  return findings;
}

std::vector<RowSummary> summarise(const std::vector<RowFinding>& findings) {
  std::vector<RowSummary> summaries;
  for (const RowFinding& finding : findings) {
    if (summaries.empty() || summaries.back().row != finding.row) {
      summaries.emplace_back().row = finding.row;
    }
    take(summaries.back(), finding);
  }
  return summaries;
}

std::string to_text(const RowSummary& summary) {
  const bool is_partly = summary.kind == record::OutcomeKind::unsupported && summary.passed > 0;
  if (summary.kind != record::OutcomeKind::ok && !is_partly) {
    return std::string(record::to_text(summary.kind));
  }
  std::string text = is_partly ? fmt::format("PASS {} of {}", summary.passed, summary.graphs) : "PASS";
  if (!summary.deviations.empty()) {
    text += fmt::format(" with {}", fmt::join(summary.deviations, ", "));
  }
  return text;
}

}  // namespace dlbench::host
