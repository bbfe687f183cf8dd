#include "report/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dlbench::report {
namespace {

constexpr double bytes_per_mib = 1024.0 * 1024.0;

}  // namespace

int decimals_for(double value, int significant_digits) {
  if (!std::isfinite(value) || value == 0.0) {
    return 0;
  }
  const int magnitude = static_cast<int>(std::floor(std::log10(std::fabs(value))));
  return std::clamp(significant_digits - 1 - magnitude, 0, 12);
}

std::string fixed(double value, int decimals) {
  if (!std::isfinite(value)) {
    return no_value;
  }
  return fmt::format("{:.{}f}", value, decimals);
}

std::string number(double value) {
  if (!std::isfinite(value)) {
    return no_value;
  }
  const double size = std::fabs(value);
  if (size != 0.0 && (size < 1e-4 || size >= 1e7)) {
    return fmt::format("{:.2e}", value);
  }
  return size >= 1e4 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

std::string interval(const stats::Interval& interval, double scale, int decimals) {
  return fmt::format("[{}, {}]", fixed(interval.low * scale, decimals),
                     fixed(interval.high * scale, decimals));
}

int ratio_decimals(const std::optional<stats::Interval>& interval) {
  if (!interval || !(interval->high - interval->low < 0.02)) {
    return 2;
  }
  return interval->high - interval->low < 0.002 ? 4 : 3;
}

std::string ratio_with_interval(const stats::PairedRatio& ratio) {
  const int decimals = ratio_decimals(ratio.interval);
  std::string text = fixed(ratio.ratio, decimals) + " × the step time";
  if (ratio.interval) {
    text += " " + interval(*ratio.interval, 1.0, decimals);
  }
  return text;
}

std::string percent(double ratio, int decimals) {
  return std::isfinite(ratio) ? fixed(ratio * 100.0, decimals) + " %" : no_value;
}

std::string mebibytes(double bytes) {
  const double value = bytes / bytes_per_mib;
  return fixed(value, std::fabs(value) < 100.0 ? 1 : 0);
}

std::string scaled_value(double value, const std::string& unit) {
  if (unit == "ns") {
    return number(value / ns_per_ms);
  }
  return unit == "bytes" ? mebibytes(value) : number(value);
}

std::string scaled_unit(const std::string& unit) {
  if (unit == "ns") {
    return "ms";
  }
  return unit == "bytes" ? "MiB" : unit;
}

std::string quantity(double value, const std::string& unit) {
  if (!std::isfinite(value)) {
    return no_value;
  }
  if (unit == "ns") {
    const double size = std::fabs(value);
    if (size < 1e3) {
      return number(value) + " ns";
    }
    if (size < 1e6) {
      return number(value / 1e3) + " µs";
    }
    return size < 1e9 ? number(value / 1e6) + " ms" : number(value / 1e9) + " s";
  }
  if (unit == "ratio") {
    return number(value * 100.0) + " %";
  }
  return scaled_value(value, unit) + (unit.empty() ? "" : " " + scaled_unit(unit));
}

}  // namespace dlbench::report
