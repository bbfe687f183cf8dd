#include "bench/hand_reply.hpp"

#include <charconv>
#include <cmath>
#include <system_error>

namespace dlbench::bench {
namespace {

constexpr std::int64_t window_max_ns = 3'600'000'000'000;

}  // namespace

std::optional<Chunk> parse_hand_reply(std::string_view line) {
  const char* const end = line.data() + line.size();
  Chunk chunk;
  const auto time = std::from_chars(line.data(), end, chunk.window_ns);
  if (time.ec != std::errc() || time.ptr == end || *time.ptr != ' ') {
    return std::nullopt;
  }
  const auto loss = std::from_chars(time.ptr + 1, end, chunk.loss);
  if (loss.ec != std::errc() || loss.ptr + 1 != end || *loss.ptr != '\n') {
    return std::nullopt;
  }
  const bool sane = chunk.window_ns > 0 && chunk.window_ns <= window_max_ns && std::isfinite(chunk.loss);
  return sane ? std::optional<Chunk>(chunk) : std::nullopt;
}

}  // namespace dlbench::bench
