// What a hand-written program answers.
#pragma once

#include <optional>
#include <string_view>

#include "bench/timed_loop.hpp"

namespace dlbench::bench {

// "<nanoseconds> <loss>\n" and nothing else: time above 0 and at most an hour, loss finite.
[[nodiscard]] std::optional<Chunk> parse_hand_reply(std::string_view line);

}  // namespace dlbench::bench
