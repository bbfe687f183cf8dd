// A runner as a timed loop: started, loaded and driven through its session, exactly as in a measured run.
#pragma once

#include <cstdint>
#include <memory>

#include "bench/setup.hpp"
#include "bench/timed_loop.hpp"
#include "session/session.hpp"

namespace dlbench::bench {

// Loaded, with batches, initial weights and rates in place.
[[nodiscard]] tl::expected<std::unique_ptr<session::Session>, std::string> start_session(
    const Setup& setup, const host::Runner& runner, const host::Launch& launch);

[[nodiscard]] StartedLoop start_sdk_loop(const Setup& setup, const host::Runner& runner,
                                         const host::Launch& launch);

// "CRASH: signal 11 (SIGSEGV)"
[[nodiscard]] std::string to_text(const session::Failure& failure);

}  // namespace dlbench::bench
