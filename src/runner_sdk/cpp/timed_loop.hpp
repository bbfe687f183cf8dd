// Internal: the one timed loop of every C++ runner.
#pragma once

#include "dlb_runner.h"
#include "runner_sdk/cpp/message.hpp"
#include "runner_sdk/cpp/session.hpp"

namespace dlbench::sdk {

// Runs exactly chunk.steps training steps and returns the loss of the last one (fetched after the window; NaN
// for an empty chunk). Throws ProtocolError when the arena does not hold what the chunk needs.
double run_training(dlb_handle* handle, Session& session, const Load& load, const Chunk& chunk);

// The same for evaluation; with chunk.store each step's logits go to its slot, outside the step's clock.
void run_inference(dlb_handle* handle, Session& session, const Load& load, const Chunk& chunk);

}  // namespace dlbench::sdk
