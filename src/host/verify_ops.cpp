#include "host/verify_ops.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "gate/sample_work.hpp"
#include "host/plan_process.hpp"
#include "host/runner_experiment.hpp"
#include "model/op_spec.hpp"

namespace dlbench::host {
namespace {

// Few rows keep the oracle cheap; six and two are no multiples of any vector.
constexpr std::int64_t full_batch = 6;
constexpr std::int64_t partial_batch = 2;

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

void take(OpSummary& summary, const OpFinding& finding) {
  ++summary.graphs;
  if (finding.outcome.kind == record::OutcomeKind::ok) {
    ++summary.passed;
  } else {
    summary.problems.push_back(fmt::format("{}: {}", finding.graph, record::to_text(finding.outcome)));
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

std::vector<OpPlan> op_plans(const CertificateCache& cache) {
  std::vector<OpPlan> plans;
  for (const model::OpSpec& op : model::builtin_ops()) {
    for (const model::Graph& graph : op.test_graphs()) {
      const gate::Work work = gate::sample_work(graph, full_batch, partial_batch);
      plans.push_back(
          {op.name, graph.name, cache.plan(gate::plan_key(work), [&work] { return gate::make_plan(work); })});
    }
  }
  return plans;
}

std::vector<OpFinding> verify_ops(const std::vector<OpPlan>& plans, const Runner& runner,
                                  const Machine& machine, const std::string& folder) {
  std::uint64_t arena_bytes = 0;
  for (const OpPlan& plan : plans) {
    arena_bytes = std::max(arena_bytes, arena_bytes_for(experiments_of(plan.plan)));
  }
  PlanProcess process(runner, machine, folder, arena_bytes);
  std::vector<OpFinding> findings;
  findings.reserve(plans.size());
  for (const OpPlan& plan : plans) {
    const Proof proof = process.prove(plan.plan, plan.plan, full_batch, partial_batch);
    findings.push_back({plan.op, plan.graph, proof.outcome, proof.certificate.deviations});
  }
  process.stop();
  return findings;
}

std::vector<OpSummary> summarise(const std::vector<OpFinding>& findings) {
  std::vector<OpSummary> summaries;
  for (const OpFinding& finding : findings) {
    if (summaries.empty() || summaries.back().op != finding.op) {
      summaries.emplace_back().op = finding.op;
    }
    take(summaries.back(), finding);
  }
  return summaries;
}

std::string to_text(const OpSummary& summary) {
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
