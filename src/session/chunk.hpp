// Whether the clocks and counts that a chunk left in the arena can be true. Internal to this folder.
#pragma once

#include <cstdint>

#include "protocol/arena.hpp"
#include "session/session.hpp"

namespace dlbench::session {

// The host's own clock around the conversation; runner and host read the same CLOCK_MONOTONIC.
struct HostWindow {
  std::int64_t sent_ns = 0;
  std::int64_t received_ns = 0;
};

// Exactly `steps` records; every step inside the window and after the one before; the window inside `host`.
// `last_loss` is left empty. Fails with PROTOCOL.
[[nodiscard]] Expected<ChunkReply> check_chunk(const protocol::Arena& arena, std::int64_t steps,
                                               const HostWindow& host);

// The name of a parameter whose OUT tensor was not stored since clear_written(); empty: all were. Reads the
// shared tensor table without trusting its offsets.
[[nodiscard]] std::string unwritten_parameter(const protocol::Arena& arena);

}  // namespace dlbench::session
