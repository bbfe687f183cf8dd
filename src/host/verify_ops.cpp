#include "host/verify_ops.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "gate/sample_work.hpp"
#include "host/conversation.hpp"
#include "host/runner_experiment.hpp"
#include "host/verify_case.hpp"
#include "model/op_spec.hpp"

namespace dlbench::host {
namespace {

// Few rows keep the oracle cheap; six and two are no multiples of any vector.
constexpr std::int64_t full_batch = 6;
constexpr std::int64_t partial_batch = 2;
constexpr int one_thread = 1;

std::uint64_t arena_bytes_for_all(const std::vector<OpPlan>& plans) {
  std::uint64_t bytes = 0;
  for (const OpPlan& plan : plans) {
    bytes = std::max(bytes, arena_bytes_for(experiments_of(plan.plan)));
  }
  return bytes;
}

// One framework's process, started when it is needed and again after it has died.
class Process {
 public:
  Process(const Runner& runner, const Machine& machine, const std::string& folder, std::uint64_t arena_bytes)
      : runner_(runner), machine_(machine), folder_(folder), arena_bytes_(arena_bytes) {}

  OpFinding prove(const OpPlan& plan) {
    OpFinding finding = {plan.op, plan.graph, {}, {}};
    if (const auto failure = start(plan)) {
      finding.outcome = outcome_of(*failure);
      return finding;
    }
    Conversation conversation(plan.plan, {one_thread, full_batch, partial_batch}, *session_);
    const auto results = conversation.run();
    if (!results) {
      finding.outcome = outcome_of(results.error());
      if (results.error().fatal) {
        session_.reset();
      }
      return finding;
    }
    const record::Certificate certificate =
        gate::judge(plan.plan, *results, session_->description().deviations);
    finding.outcome = host::outcome_of(certificate);
    finding.deviations = certificate.deviations;
    return finding;
  }

  void stop() {
    if (session_) {
      // The numbers are in; how the process leaves is a matter for timed runs.
      static_cast<void>(session_->quit());
      session_.reset();
    }
  }

 private:
  static record::Outcome outcome_of(const session::Failure& failure) {
    return {record::outcome_from_text(failure.outcome).value_or(record::OutcomeKind::protocol),
            failure.reason};
  }

  std::optional<session::Failure> start(const OpPlan& plan) {
    if (session_) {
      return std::nullopt;
    }
    const Launch launch = {machine_.cpus.empty() ? Placement{} : place(machine_.cpus, one_thread),
                           one_thread,
                           new_run_token(),
                           folder_,
                           0,
                           {}};
    auto session =
        session::Session::start(launch_spec(runner_, launch),
                                arena_plan_for(plan.plan.expectations.front().experiment), {}, arena_bytes_);
    if (!session) {
      return session.error();
    }
    session_ = std::move(*session);
    return std::nullopt;
  }

  const Runner& runner_;
  const Machine& machine_;
  std::string folder_;
  std::uint64_t arena_bytes_;
  std::unique_ptr<session::Session> session_;
};

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
  Process process(runner, machine, folder, arena_bytes_for_all(plans));
  std::vector<OpFinding> findings;
  findings.reserve(plans.size());
  for (const OpPlan& plan : plans) {
    findings.push_back(process.prove(plan));
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
