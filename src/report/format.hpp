// Numbers as people read them. The only place where stored units are scaled for display.
#pragma once

#include <optional>
#include <string>

#include "stats/stats.hpp"

namespace dlbench::report {

// Shown where there is no value.
inline constexpr const char* no_value = "–";

inline constexpr double ns_per_ms = 1e6;

// Decimals that give `value` this many significant digits, between 0 and 12.
[[nodiscard]] int decimals_for(double value, int significant_digits);
// Fixed notation; no_value when not finite.
[[nodiscard]] std::string fixed(double value, int decimals);
// At most four significant digits, all digits of whole numbers; an exponent only below 1e-4 and from 1e7 on.
[[nodiscard]] std::string number(double value);
// "[low, high]" with the given decimals.
[[nodiscard]] std::string interval(const stats::Interval& interval, double scale, int decimals);
// Decimals of a ratio: 2, more when its interval is narrower than those would show.
[[nodiscard]] int ratio_decimals(const std::optional<stats::Interval>& interval);
// "1.52 × the step time [1.49, 1.55]".
[[nodiscard]] std::string ratio_with_interval(const stats::PairedRatio& ratio);
// 0.8862 -> "88.62 %"
[[nodiscard]] std::string percent(double ratio, int decimals);
[[nodiscard]] std::string mebibytes(double bytes);
// A catalogue value in a readable unit: ns -> ms, bytes -> MiB, others as they are. `unit` is the stored one.
[[nodiscard]] std::string scaled_value(double value, const std::string& unit);
// The unit scaled_value shows: "ms", "MiB", …
[[nodiscard]] std::string scaled_unit(const std::string& unit);

// One value with its unit, the unit chosen by size: "310 ns", "16.84 ms", "212 MiB", "0.1 %".
[[nodiscard]] std::string quantity(double value, const std::string& unit);

}  // namespace dlbench::report
