// What one run needs, whichever kind it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "host/machine.hpp"
#include "host/runner.hpp"
#include "host/timed_truth.hpp"
#include "host/workload.hpp"
#include "record/run.hpp"
#include "study/study.hpp"

namespace dlbench::host {

struct RunRequest {
  RunRequest(const Workload& work, const Runner& framework, const Machine& this_machine,
             const record::Case& planned, const study::WindowSettings& window_settings)
      : workload(work),
        runner(framework),
        machine(this_machine),
        measured_case(planned),
        windows(window_settings) {}

  const Workload& workload;
  const Runner& runner;
  const Machine& machine;
  const record::Case& measured_case;
  const study::WindowSettings& windows;
  int block = 0;
  int attempt = 0;
  std::uint64_t seed = 1;
  std::string folder;   // for the runner's output
  std::string command;  // repeats exactly this run
  std::string certificate_key;
  TimedTruth* recheck = nullptr;              // nullptr: the timed batch was not verified
  double recheck_limit_factor = 1.0;          // of the certificate's deviations
  std::optional<std::int64_t> warm_up_steps;  // found in the first block; absent: find it
  study::DisturbanceLimits limits;
  int epochs = 0;  // convergence runs
};

}  // namespace dlbench::host
