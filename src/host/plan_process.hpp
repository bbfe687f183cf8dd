// One framework's process that takes many small gate plans, one after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "gate/gate.hpp"
#include "host/conversation.hpp"
#include "host/runner.hpp"
#include "record/certificate.hpp"
#include "record/outcome.hpp"

namespace dlbench::host {

struct Proof {
  record::Outcome outcome;          // ok: it computes the same
  record::Certificate certificate;  // the verdict; only the diagnosis when the process failed
};

// Started when it is needed and again after it has died. One thread; borrows runner and machine.
class PlanProcess {
 public:
  // `folder` takes the runner's output; the arena must fit every plan (arena_bytes_for).
  PlanProcess(const Runner& runner, const Machine& machine, std::string folder, std::uint64_t arena_bytes)
      : runner_(runner), machine_(machine), folder_(std::move(folder)), arena_bytes_(arena_bytes) {}

  // Has the experiments of `sent` performed and judges them as those of `wanted`; both are the same plan, but
  // where a fault is to be noticed.
  [[nodiscard]] Proof prove(const gate::Plan& sent, const gate::Plan& wanted, std::int64_t batch,
                            std::int64_t partial);
  void stop();

 private:
  std::optional<session::Failure> start(const gate::Plan& plan);

  const Runner& runner_;
  const Machine& machine_;
  std::string folder_;
  std::uint64_t arena_bytes_;
  std::unique_ptr<session::Session> session_;
};

}  // namespace dlbench::host
