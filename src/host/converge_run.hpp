// One convergence run: epochs of training over the whole training set in its shuffled order, the last partial
// batch trained too, then the test accuracy over every test sample.
#pragma once

#include "host/run_request.hpp"
#include "record/run.hpp"

namespace dlbench::host {

[[nodiscard]] record::Run converge_run(const RunRequest& request);

// How many of `count` labels a batch of logits gets right, `logits_each` for one label: the first maximum is
// the answer, and a single logit says which of two classes. Pure.
[[nodiscard]] std::int64_t correct_count(const float* logits, const std::int32_t* labels, std::int64_t count,
                                         std::int64_t logits_each);

}  // namespace dlbench::host
