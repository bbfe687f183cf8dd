// The one clock of dlbench: CLOCK_MONOTONIC, the same that the runner library reads.
#pragma once

#include <cstdint>
#include <string>

namespace dlbench::base {

// Nanoseconds since an arbitrary start; comparable between processes of one boot.
[[nodiscard]] std::int64_t monotonic_ns();

// Wall-clock time as ISO 8601 UTC with seconds, for records shown to people; never used to measure.
[[nodiscard]] std::string utc_now();

// Smallest non-zero difference between two reads, in nanoseconds; stored with every study.
[[nodiscard]] std::int64_t clock_resolution_ns();

}  // namespace dlbench::base
