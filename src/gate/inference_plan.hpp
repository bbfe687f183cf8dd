// The plan of an inference case: logits and classes, no steps.
#pragma once

#include "gate/gate.hpp"

namespace dlbench::gate {

// function.logits and data.order as for training; inference.logits: at least 256 real samples (or all that
// the work has) in full batches of the timed shape, with their classes; inference.partial: the partial batch;
// timed.logits: one full batch, for the re-check. Asserts that the work is inference.
[[nodiscard]] Plan make_inference_plan(const Work& work);

}  // namespace dlbench::gate
