#include "host/verify_faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "gate/sample_recipes.hpp"
#include "gate/sample_work.hpp"
#include "host/plan_process.hpp"
#include "host/runner_experiment.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::host {
namespace {

constexpr std::int64_t rows_per_batch = 12;

gate::Work work_for(const gate::Fault& fault, record::Task task) {
  const auto small = gate::fault_graph(fault.graph);
  gate::Work work = gate::sample_work(small ? *small : zoo::lenet(), rows_per_batch);
  work.recipe = gate::sample_recipe(fault.recipe, work.recipe).value();
  work.task = task;
  return work;
}

// The experiment as other work, if the fault is no more than that: the other form of momentum is another
// recipe, every other arithmetic is out of the host's reach.
std::optional<gate::Experiment> as_work(gate::FaultyWork faulty) {
  oracle::Arithmetic rest = faulty.arithmetic;
  if (rest.rate_inside) {
    rest.rate_inside = false;
    faulty.experiment.recipe.optimizer.form = model::SgdForm::rate_inside;
  }
  if (rest != oracle::Arithmetic{}) {
    return std::nullopt;
  }
  return std::move(faulty.experiment);
}

// What a program with the fault would do; nullopt where that is another arithmetic. Without the truth, by
// which nothing that is sent is judged.
std::optional<gate::Plan> with_fault(const FaultPlan& plan) {
  gate::Plan sent;
  for (const gate::Expectation& expectation : plan.right->expectations) {
    gate::Experiment experiment = expectation.experiment;
    if (auto faulty = plan.fault->apply(experiment)) {
      auto other = as_work(std::move(*faulty));
      if (!other) {
        return std::nullopt;
      }
      experiment = std::move(*other);
    }
    sent.expectations.emplace_back().experiment = std::move(experiment);
  }
  return sent;
}

bool is_provable(const FaultPlan& plan) {
  const auto effect = std::ranges::find(plan.right->faults, plan.fault->id, &record::FaultEffect::fault);
  return effect != plan.right->faults.end() && effect->provable;
}

std::uint64_t arena_bytes_for_all(const std::vector<FaultPlan>& plans) {
  std::uint64_t bytes = 0;
  for (const FaultPlan& plan : plans) {
    bytes = std::max(bytes, arena_bytes_for(experiments_of(*plan.right)));
    if (const auto faulty = with_fault(plan)) {
      bytes = std::max(bytes, arena_bytes_for(experiments_of(*faulty)));
    }
  }
  return bytes;
}

// Keeps what each work without a fault came to: many faults share one.
class Faults {
 public:
  explicit Faults(PlanProcess& process) : process_(process) {}

  FaultFinding look(const FaultPlan& plan) {
    const std::string& id = plan.fault->id;
    if (!is_provable(plan)) {
      return {id, Notice::not_provable, {}};
    }
    const auto faulty = with_fault(plan);
    if (!faulty) {
      return {id, Notice::inside, {}};
    }
    const record::Outcome& without = outcome_without(*plan.right);
    if (without.kind != record::OutcomeKind::ok) {
      const bool refused = without.kind == record::OutcomeKind::unsupported;
      return {id, refused ? Notice::unsupported : Notice::failed, record::to_text(without)};
    }
    const Proof proof = process_.prove(*faulty, *plan.right, rows_per_batch, 0, id);
    return finding_of(*plan.fault, proof.outcome, proof.certificate);
  }

 private:
  const record::Outcome& outcome_without(const gate::Plan& right) {
    const auto known = without_.find(right.key);
    if (known != without_.end()) {
      return known->second;
    }
    return without_.emplace(right.key, process_.prove(right, right, rows_per_batch, 0).outcome).first->second;
  }

  PlanProcess& process_;
  std::map<std::string, record::Outcome> without_;  // by the plan's key
};

}  // namespace

std::vector<FaultPlan> fault_plans(const CertificateCache& cache, const std::set<std::string>& faults,
                                   record::Task task) {
  std::map<std::string, std::shared_ptr<const gate::Plan>> made;
  std::vector<FaultPlan> plans;
  for (const gate::Fault& fault : gate::builtin_faults()) {
    if (!faults.contains(fault.id)) {
      continue;
    }
    const std::string name = fault.graph + " " + fault.recipe;
    if (!made.contains(name)) {
      const gate::Work work = work_for(fault, task);
      made.emplace(name, std::make_shared<const gate::Plan>(
                             cache.plan(gate::plan_key(work), [&work] { return gate::make_plan(work); })));
    }
    plans.push_back({&fault, made.at(name)});
  }
  return plans;
}

std::vector<FaultFinding> verify_faults(const std::vector<FaultPlan>& plans, const Proving& proving) {
  PlanProcess process(proving, arena_bytes_for_all(plans));
  Faults faults(process);
  std::vector<FaultFinding> findings;
  findings.reserve(plans.size());
  for (const FaultPlan& plan : plans) {
    findings.push_back(faults.look(plan));
  }
  process.stop();
  return findings;
}

FaultFinding finding_of(const gate::Fault& fault, const record::Outcome& outcome,
                        const record::Certificate& certificate) {
  switch (outcome.kind) {
    case record::OutcomeKind::ok: {
      const bool is_admitted =
          std::ranges::find(certificate.deviations, fault.deviation) != certificate.deviations.end();
      return {fault.id, is_admitted ? Notice::declared : Notice::missed, {}};
    }
    case record::OutcomeKind::mismatch:
      break;
    case record::OutcomeKind::unsupported:
      return {fault.id, Notice::unsupported, record::to_text(outcome)};
    default:
      return {fault.id, Notice::failed, record::to_text(outcome)};
  }
  const std::string named = certificate.diagnosis.substr(0, certificate.diagnosis.find(':'));
  return named == fault.id ? FaultFinding{fault.id, Notice::named, {}}
                           : FaultFinding{fault.id, Notice::caught, named};
}

std::string to_text(const FaultFinding& finding) {
  switch (finding.notice) {
    case Notice::named:
      return "named";
    case Notice::caught:
      return fmt::format("caught ({})", finding.detail.empty() ? "unknown" : finding.detail);
    case Notice::declared:
      return "declared";
    case Notice::missed:
      return "MISSED";
    case Notice::not_provable:
      return "not provable";
    case Notice::inside:
      return "inside";
    case Notice::unsupported:
      return "UNSUPPORTED";
    case Notice::failed:
      break;
  }
  return "FAILED";
}

}  // namespace dlbench::host
