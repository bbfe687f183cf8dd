#include "host/verify_case.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/clock.hpp"
#include "base/hash.hpp"
#include "host/runner_experiment.hpp"
#include "protocol/dlb_arena.h"

namespace dlbench::host {
namespace {

using Results = std::vector<std::vector<gate::Result>>;

// Full batches are loaded exactly as the timed run loads them, the partial shape compiled beside.
session::LoadRequest request_for(const VerifyRequest& request, const gate::Experiment& experiment) {
  session::LoadRequest load = load_request_for(experiment, request.threads);
  const bool is_timed_shape = load.batch == request.workload.recipe.batch && load.partial == 0;
  if (is_timed_shape) {
    load.partial = request.workload.partial_rows();
  }
  return load;
}

bool same_load(const session::LoadRequest& a, const session::LoadRequest& b) {
  return a.graph_json == b.graph_json && a.recipe_json == b.recipe_json && a.mode == b.mode &&
         a.batch == b.batch && a.partial == b.partial;
}

// The conversation of one verification: loads only when the work changes.
class Conversation {
 public:
  Conversation(const VerifyRequest& request, session::Session& session)
      : request_(request), session_(session) {}

  session::Expected<Results> run() {
    Results results;
    for (const gate::Expectation& expectation : request_.plan.expectations) {
      auto repeats = perform(expectation.experiment);
      if (!repeats) {
        return tl::unexpected(repeats.error());
      }
      results.push_back(std::move(*repeats));
    }
    return results;
  }
  // The fault that explains a structure difference; empty when there was none.
  [[nodiscard]] const std::string& structure_diagnosis() const { return structure_diagnosis_; }

 private:
  session::Expected<std::vector<gate::Result>> perform(const gate::Experiment& experiment) {
    if (!session_.arena().lay_out(arena_plan_for(experiment))) {
      return tl::unexpected(session::Failure{"PROTOCOL", "the arena is too small for an experiment", true});
    }
    if (auto loaded = load(experiment); !loaded) {
      return tl::unexpected(loaded.error());
    }
    std::vector<gate::Result> results;
    for (int repeat = 0; repeat < experiment.repeats; ++repeat) {
      auto result = perform_once(session_, experiment);
      if (!result) {
        return tl::unexpected(result.error());
      }
      results.push_back(std::move(*result));
    }
    return results;
  }

  session::Expected<void> load(const gate::Experiment& experiment) {
    session::LoadRequest wanted = request_for(request_, experiment);
    if (loaded_ && same_load(*loaded_, wanted)) {
      return {};
    }
    const auto reply = session_.load(wanted);
    if (!reply) {
      return tl::unexpected(reply.error());
    }
    const gate::Structure seen = {reply->parameters, reply->logits};
    if (const auto difference = gate::compare_structure(experiment.graph, seen)) {
      structure_diagnosis_ = gate::diagnose_structure(experiment.graph, seen);
      return tl::unexpected(session::Failure{"MISMATCH", "structure: " + *difference, false});
    }
    loaded_ = std::move(wanted);
    return {};
  }

  const VerifyRequest& request_;
  session::Session& session_;
  std::optional<session::LoadRequest> loaded_;
  std::string structure_diagnosis_;
};

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

std::vector<gate::Experiment> experiments_of(const gate::Plan& plan) {
  std::vector<gate::Experiment> experiments;
  experiments.reserve(plan.expectations.size());
  for (const gate::Expectation& expectation : plan.expectations) {
    experiments.push_back(expectation.experiment);
  }
  return experiments;
}

Verification verify_now(const VerifyRequest& request, const CertificateCache& cache) {
  const Launch launch = {
      request.machine.cpus.empty() ? Placement{} : place(request.machine.cpus, request.threads),
      request.threads,
      new_run_token(),
      request.folder,
      0,
      request.keep_folder};
  const std::vector<gate::Experiment> experiments = experiments_of(request.plan);
  auto session =
      session::Session::start(launch_spec(request.runner, launch), arena_plan_for(experiments.front()), {},
                              arena_bytes_for(experiments), launch.keep_folder);
  if (!session) {
    return failed(request, session.error());
  }
  Conversation conversation(request, **session);
  const auto results = conversation.run();
  if (!results) {
    Verification verification = failed(request, results.error());
    verification.certificate.diagnosis = conversation.structure_diagnosis();
    return verification;
  }
  Verification verification;
  verification.certificate = gate::judge(request.plan, *results, (*session)->description().deviations);
  verification.certificate.key = certificate_key(request);
  verification.certificate.created = base::utc_now();
  verification.certificate.framework = title(request.runner);
  verification.outcome = outcome_of(verification.certificate);
  cache.store(verification.certificate, mapped_files((*session)->pid()));
  // The numbers are in; how the process leaves is a matter for timed runs.
  static_cast<void>((*session)->quit());
  return verification;
}

}  // namespace

std::string certificate_key(const VerifyRequest& request) {
  const Workload& work = request.workload;
  const std::string text = fmt::format(
      "abi={}\nplan={}\ngraph={}\nrecipe={}\npartial={}\ndevice=cpu\nprecision=fp32\nthreads={}\nframework={}"
      "@{}\n"
      "digest={}\ncpu={}\nflags={}\n",
      DLB_ABI, request.plan.key, work.graph_json, work.recipe_json, work.partial_rows(), request.threads,
      request.runner.manifest.name, request.runner.installed.version, request.runner.installed.digest,
      request.machine.cpu_model, request.machine.cpu_flags);
  return base::hash_hex(text);
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

std::optional<session::Failure> recheck(session::Session& session, const gate::Expectation& expectation) {
  const auto seen = perform_once(session, expectation.experiment);
  if (!seen) {
    return seen.error();
  }
  for (const record::Check& check : gate::compare(expectation, *seen)) {
    if (!check.passed) {
      return session::Failure{
          "MISMATCH",
          fmt::format("after the windows the timed object no longer computes the certified steps: "
                      "{} of {}: error {:.2e}, limit {:.2e}",
                      check.quantity, check.tensor, check.error, check.limit),
          false};
    }
  }
  return std::nullopt;
}

}  // namespace dlbench::host
