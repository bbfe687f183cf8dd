#include "host/verify_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/clock.hpp"
#include "base/hash.hpp"
#include "gate/masks.hpp"
#include "host/conversation.hpp"
#include "host/runner_experiment.hpp"
#include "protocol/dlb_arena.h"

namespace dlbench::host {
namespace {

Verification failed(const VerifyRequest& request, const session::Failure& failure) {
  Verification verification;
  verification.outcome = {record::outcome_from_text(failure.outcome).value_or(record::OutcomeKind::protocol),
                          failure.reason};
  verification.certificate.key = certificate_key(request);
  verification.certificate.framework = title(request.runner);
  verification.certificate.created = base::utc_now();
  const bool is_mismatch = verification.outcome.kind == record::OutcomeKind::mismatch;
  verification.certificate.verdict = is_mismatch ? record::Verdict::mismatch : record::Verdict::unverified;
  verification.certificate.reason = failure.reason;
  return verification;
}

Verification verify_now(const VerifyRequest& request, const CertificateCache& cache) {
  const Launch launch = proving_launch(request.machine, request.threads, request.folder, request.keep_folder);
  const gate::Plan& plan = request.plan.whole();
  const std::vector<gate::Experiment> experiments = experiments_of(plan);
  auto session =
      session::Session::start(launch_spec(request.runner, launch), arena_plan_for(experiments.front()), {},
                              arena_bytes_for(experiments), launch.keep_folder);
  if (!session) {
    return failed(request, start_failure(request.runner, session.error()));
  }
  const Shapes shapes = {request.threads, request.workload.recipe.batch, request.workload.partial_rows()};
  Conversation conversation(plan, shapes, **session);
  const auto results = conversation.run();
  if (!results) {
    Verification verification = failed(request, results.error());
    verification.certificate.diagnosis = conversation.structure_diagnosis();
    return verification;
  }
  if (const auto change = change_of(request.runner)) {
    return failed(request, *change);
  }
  Verification verification;
  verification.certificate = gate::judge(plan, *results, (*session)->description().deviations);
  verification.certificate.key = certificate_key(request);
  verification.certificate.created = base::utc_now();
  verification.certificate.framework = title(request.runner);
  verification.outcome = outcome_of(verification.certificate);
  cache.store(verification.certificate, mapped_files((*session)->pid()));
  // The numbers are in; how the process leaves is a matter for timed runs.
  static_cast<void>((*session)->quit());
  return verification;
}

// All that can be asked where dropout draws.
std::optional<session::Failure> check_finite(const gate::Experiment& experiment, const gate::Result& seen) {
  const auto is_finite = [](double value) { return std::isfinite(value); };
  bool sound = std::ranges::all_of(seen.losses, is_finite);
  for (const oracle::Values& values : seen.weights) {
    sound = sound && std::ranges::all_of(values, is_finite);
  }
  if (sound) {
    return std::nullopt;
  }
  return session::Failure{"MISMATCH",
                          fmt::format("after the windows {} steps of the timed object leave a loss or a "
                                      "parameter that is not finite",
                                      experiment.batches.size()),
                          false};
}

}  // namespace

record::Outcome outcome_of(const record::Certificate& certificate) {
  switch (certificate.verdict) {
    case record::Verdict::pass:
    case record::Verdict::pass_with_deviations:
      return {};
    case record::Verdict::unverified:
      return {record::OutcomeKind::unverified, certificate.reason};
    case record::Verdict::mismatch:
      break;
  }
  const std::string diagnosis = certificate.diagnosis.empty() ? "unknown" : certificate.diagnosis;
  return {record::OutcomeKind::mismatch, fmt::format("{}; diagnosis: {}", certificate.reason, diagnosis)};
}

std::string identity_text(const Runner& runner, const Machine& machine) {
  return fmt::format("abi={}\ndevice=cpu\nprecision=fp32\nframework={}@{}\ndigest={}\ncpu={}\nflags={}\n",
                     DLB_ABI, runner.manifest.name, runner.installed.version, runner.installed.digest,
                     machine.cpu_model, machine.cpu_flags);
}

std::string certificate_key(const VerifyRequest& request) {
  const Workload& work = request.workload;
  return base::hash_hex(fmt::format("plan={}\ngraph={}\nrecipe={}\npartial={}\nthreads={}\n{}",
                                    request.plan.key(), work.graph_json, work.recipe_json,
                                    work.partial_rows(), request.threads,
                                    identity_text(request.runner, request.machine)));
}

Verification verify_case(const VerifyRequest& request, const CertificateCache& cache, bool fresh) {
  if (!fresh) {
    if (auto known = cache.find(certificate_key(request))) {
      Verification verification;
      verification.outcome = outcome_of(*known);
      verification.certificate = std::move(*known);
      verification.from_cache = true;
      return verification;
    }
  }
  return verify_now(request, cache);
}

std::optional<session::Failure> recheck(session::Session& session, TimedTruth& truth, double limit_factor,
                                        const model::Graph& timed) {
  const auto seen = perform_once(session, truth.experiment());
  if (!seen) {
    return seen.error();
  }
  const bool is_training = truth.experiment().quantity != gate::Quantity::logits;
  if (is_training && !gate::dropout_rates(timed).empty()) {
    return check_finite(truth.experiment(), *seen);
  }
  const auto failing = truth.first_failing(*seen, session.description().deviations, limit_factor);
  if (!failing) {
    return std::nullopt;
  }
  return session::Failure{
      "MISMATCH",
      fmt::format("after the windows the timed object no longer computes the certified steps: "
                  "{} of {}: error {:.2e}, limit {:.2e}",
                  failing->quantity, failing->tensor, failing->error, failing->limit),
      false};
}

}  // namespace dlbench::host
