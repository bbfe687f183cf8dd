// A run in progress: one process, its phases, and the row that it becomes however it ends.
#pragma once

#include <memory>
#include <string>

#include "host/run_request.hpp"
#include "probes/machine.hpp"
#include "record/run.hpp"
#include "session/session.hpp"

namespace dlbench::host {

class LiveRun {
 public:
  explicit LiveRun(const RunRequest& request);

  // Phases shared by all kinds of runs. Each returns the failure that ends the run.
  session::Expected<void> start(std::uint32_t slots, std::uint64_t step_capacity);
  session::Expected<void> build();        // load; checks that the threads asked for are in force
  session::Expected<void> put_initial();  // initial weights, constant rate of the recipe
  session::Expected<void> recheck_and_stop();

  // One chunk; a loss that is not finite is the failure NAN.
  // Steps of the workload's task: of training as below, or of inference, whose logits nobody fetches.
  session::Expected<session::ChunkReply> work(std::int64_t steps, session::Drain drain);
  session::Expected<session::ChunkReply> train(std::int64_t steps, session::Drain drain,
                                               std::int64_t loss_every = 0);

  void metric(const std::string& id, double value) { run_.metrics.push_back({id, value}); }
  void series(record::SeriesKind kind, const std::string& unit, std::vector<double> values);
  void begin_phase(const std::string& phase);
  void end_phase();
  // Marks the row without ending the run (UNSTEADY, INVALID); the first mark stays.
  void mark(record::OutcomeKind kind, const std::string& reason);

  // Around the windows: records what others did to this run's CPUs.
  void watch_begin();
  void watch_end();
  // INVALID when they did more than the study's limits allow; after watch_end.
  void judge_disturbance();

  [[nodiscard]] session::Session& session() { return *session_; }
  [[nodiscard]] const RunRequest& request() const { return request_; }
  [[nodiscard]] const Placement& placement() const { return placement_; }

  // The finished row.
  [[nodiscard]] record::Run finish(const session::Expected<void>& result);

 private:
  void check_threads(const std::vector<session::Setting>& effective);
  void read_back();
  void add_setting(const std::string& name, const std::string& value, const std::string& source);

  const RunRequest& request_;
  Placement placement_;
  HostConfinement confinement_;
  std::string token_;
  process::LaunchSpec spec_;
  std::unique_ptr<session::Session> session_;
  record::Run run_;
  record::Outcome mark_;
  probes::MachineState before_;
  std::uint64_t ticks_before_ = 0;
  probes::Disturbance disturbance_;
};

// CPU time of the host process so far.
[[nodiscard]] std::int64_t host_cpu_ns();

}  // namespace dlbench::host
