// Performs one of the gate's experiments on a live runner, through the very commands that are timed.
#pragma once

#include "gate/experiment.hpp"
#include "host/workload.hpp"
#include "session/session.hpp"

namespace dlbench::host {

// Arena that fits every experiment of the list: the largest of each part.
[[nodiscard]] std::uint64_t arena_bytes_for(const std::vector<gate::Experiment>& experiments);
[[nodiscard]] protocol::ArenaPlan arena_plan_for(const gate::Experiment& experiment);

// The load command for an experiment. A batch smaller than the recipe's is loaded as the partial shape.
[[nodiscard]] session::LoadRequest load_request_for(const gate::Experiment& experiment, int threads);

// put, then infer or train, then get; the session is loaded and the arena laid out for it. One result.
[[nodiscard]] session::Expected<gate::Result> perform_once(session::Session& session,
                                                           const gate::Experiment& experiment);

}  // namespace dlbench::host
