#include "host/plan_process.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/clock.hpp"
#include "base/hash.hpp"
#include "host/runner_experiment.hpp"
#include "host/verify_case.hpp"

namespace dlbench::host {
namespace {

Proof failed(const session::Failure& failure) {
  return {
      {record::outcome_from_text(failure.outcome).value_or(record::OutcomeKind::protocol), failure.reason},
      {}};
}

}  // namespace

Proof PlanProcess::prove(const gate::Plan& sent, const gate::Plan& wanted, std::int64_t batch,
                         std::int64_t partial, const std::string& fault) {
  const std::string key = base::hash_hex(
      fmt::format("plan={}\nfault={}\nbatch={}\npartial={}\nthreads={}\n{}", wanted.key, fault, batch,
                  partial, proving_.threads, identity_text(proving_.runner, proving_.machine)));
  if (auto known = proving_.fresh ? std::nullopt : proving_.cache.find(key)) {
    return {outcome_of(*known), *std::move(known)};
  }
  Proof proof = prove_now(sent, wanted, batch, partial);
  if (session_ && !proof.certificate.checks.empty()) {
    proof.certificate.key = key;
    proof.certificate.created = base::utc_now();
    proof.certificate.framework = title(proving_.runner);
    proving_.cache.store(proof.certificate, mapped_files(session_->pid()));
  }
  return proof;
}

Proof PlanProcess::prove_now(const gate::Plan& sent, const gate::Plan& wanted, std::int64_t batch,
                             std::int64_t partial) {
  if (const auto failure = start(sent)) {
    return failed(*failure);
  }
  Conversation conversation(sent, wanted, {proving_.threads, batch, partial}, *session_);
  const auto results = conversation.run();
  if (!results) {
    if (results.error().fatal) {
      session_.reset();
    }
    Proof proof = failed(results.error());
    proof.certificate.diagnosis = conversation.structure_diagnosis();
    return proof;
  }
  if (const auto change = change_of(proving_.runner)) {
    return failed(*change);
  }
  Proof proof;
  proof.certificate = gate::judge(wanted, *results, session_->description().deviations);
  proof.outcome = outcome_of(proof.certificate);
  return proof;
}

void PlanProcess::stop() {
  if (session_) {
    // The numbers are in; how the process leaves is a matter for timed runs.
    static_cast<void>(session_->quit());
    session_.reset();
  }
}

std::optional<session::Failure> PlanProcess::start(const gate::Plan& plan) {
  if (session_) {
    return std::nullopt;
  }
  const Launch launch = proving_launch(proving_.machine, proving_.threads, proving_.folder);
  auto session =
      session::Session::start(launch_spec(proving_.runner, launch),
                              arena_plan_for(plan.expectations.front().experiment), {}, arena_bytes_);
  if (!session) {
    return start_failure(proving_.runner, session.error());
  }
  session_ = std::move(*session);
  return std::nullopt;
}

}  // namespace dlbench::host
