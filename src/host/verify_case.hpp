// Proves one case in a fresh process: every experiment of the gate's plan on the runner, then the verdict.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "gate/gate.hpp"
#include "host/certificate_cache.hpp"
#include "host/runner.hpp"
#include "host/timed_truth.hpp"
#include "host/work_plan.hpp"
#include "host/workload.hpp"
#include "record/certificate.hpp"
#include "record/outcome.hpp"

namespace dlbench::host {

struct Verification {
  record::Outcome outcome;          // ok for PASS; mismatch, unverified, or how the process failed
  record::Certificate certificate;  // with verdict and key unless the process failed
  bool from_cache = false;
};

struct VerifyRequest {
  const Workload& workload;
  WorkPlan& plan;
  const Runner& runner;
  const Machine& machine;
  int threads = 1;
  std::string folder;       // for the runner's output
  std::string keep_folder;  // "" : nowhere
};

// ok for both kinds of PASS; else the verdict with its reason and diagnosis.
[[nodiscard]] record::Outcome outcome_of(const record::Certificate& certificate);

// What a certificate vouches for beside the work: the framework as it is installed, and the processor.
[[nodiscard]] std::string identity_text(const Runner& runner, const Machine& machine);

// Hash of the whole effective configuration that a certificate vouches for.
[[nodiscard]] std::string certificate_key(const VerifyRequest& request);

// Uses the cache unless `fresh`; stores what it proves.
[[nodiscard]] Verification verify_case(const VerifyRequest& request, const CertificateCache& cache,
                                       bool fresh);

// After the timed windows: the same object repeats the certificate's k steps. nullopt: it matches, by limits
// wider by the factor; else a failure with outcome MISMATCH, or what ended the process.
[[nodiscard]] std::optional<session::Failure> recheck(session::Session& session, TimedTruth& truth,
                                                      double limit_factor, const model::Graph& timed);

}  // namespace dlbench::host
