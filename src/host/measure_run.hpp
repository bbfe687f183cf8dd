// One throughput run: start, build, first step, warm-up, W1 (throughput), W2 (latency), recheck, stop.
#pragma once

#include "host/run_request.hpp"
#include "record/run.hpp"

namespace dlbench::host {

// Never throws for what a runner does; every failure is the row's outcome.
[[nodiscard]] record::Run measure_run(const RunRequest& request);

}  // namespace dlbench::host
