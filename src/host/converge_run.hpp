// One convergence run: epochs of training over the whole training set in its shuffled order, the last partial
// batch trained too, then the test accuracy over every test sample.
#pragma once

#include "host/run_request.hpp"
#include "record/run.hpp"

namespace dlbench::host {

[[nodiscard]] record::Run converge_run(const RunRequest& request);

// Correct rows of one batch of logits: the first maximum is the answer. Pure.
[[nodiscard]] std::int64_t correct_count(const float* logits, const std::uint8_t* labels, std::int64_t rows,
                                         std::int64_t classes);

}  // namespace dlbench::host
