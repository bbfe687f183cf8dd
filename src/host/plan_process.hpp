// One framework's process that takes many small gate plans, one after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "gate/gate.hpp"
#include "host/certificate_cache.hpp"
#include "host/conversation.hpp"
#include "host/runner.hpp"
#include "record/certificate.hpp"
#include "record/outcome.hpp"

namespace dlbench::host {

// Whom to prove, and what is known of it already. Everything is borrowed.
struct Proving {
  const Runner& runner;
  const Machine& machine;
  const CertificateCache& cache;
  std::string folder;  // for the runner's output
  bool fresh = false;  // prove again what is in the cache
  int threads = 1;     // of the runner
};

struct Proof {
  record::Outcome outcome;          // ok: it computes the same
  record::Certificate certificate;  // the verdict; only the diagnosis when the process failed
};

// Started when it is needed and again after it has died. Verdicts are kept in the cache and taken from it;
// how a process failed is not.
class PlanProcess {
 public:
  // The arena must fit every plan (arena_bytes_for).
  PlanProcess(const Proving& proving, std::uint64_t arena_bytes)
      : proving_(proving), arena_bytes_(arena_bytes) {}

  // Has the experiments of `sent` performed and judges them as those of `wanted`; both are the same plan, but
  // where a fault is to be noticed. `fault`: its name, else empty.
  [[nodiscard]] Proof prove(const gate::Plan& sent, const gate::Plan& wanted, std::int64_t batch,
                            std::int64_t partial, const std::string& fault = {});
  void stop();

 private:
  [[nodiscard]] Proof prove_now(const gate::Plan& sent, const gate::Plan& wanted, std::int64_t batch,
                                std::int64_t partial);
  std::optional<session::Failure> start(const gate::Plan& plan);

  const Proving& proving_;
  std::uint64_t arena_bytes_;
  std::unique_ptr<session::Session> session_;
};

}  // namespace dlbench::host
