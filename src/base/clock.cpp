#include "base/clock.hpp"

#include <ctime>

namespace dlbench::base {

std::int64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text, length};
}

std::int64_t clock_resolution_ns() {
  std::int64_t smallest = 1'000'000'000;
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t first = monotonic_ns();
    std::int64_t second = monotonic_ns();
    while (second == first) {
      second = monotonic_ns();
    }
    smallest = second - first < smallest ? second - first : smallest;
  }
  return smallest;
}

}  // namespace dlbench::base
