#include <cmath>

#include "base/error.hpp"
#include "stats/stats.hpp"

namespace dlbench::stats {
namespace {

// The logarithm of the quotient keeps exact ties tied (2/1 and 4/2); the difference of logarithms would part
// them by rounding. It is the fallback where the quotient leaves the normal range.
double log_ratio(double a, double b) {
  const double quotient = a / b;
  return std::isnormal(quotient) ? std::log(quotient) : std::log(a) - std::log(b);
}

std::optional<Interval> exponentiate(std::optional<Interval> interval) {
  if (interval) {
    interval->low = std::exp(interval->low);
    interval->high = std::exp(interval->high);
  }
  return interval;
}

}  // namespace

std::optional<PairedRatio> paired_ratio(std::span<const double> a, std::span<const double> b, double alpha) {
  DLBENCH_ASSERT(a.size() == b.size(), "pairs need two samples of one size");
  DLBENCH_ASSERT(alpha > 0.0 && alpha < 0.5, "1 - 2 alpha must be a level");
  if (a.empty()) {
    return std::nullopt;
  }
  std::vector<double> logs(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    DLBENCH_ASSERT(std::isfinite(a[i]) && std::isfinite(b[i]) && a[i] > 0.0 && b[i] > 0.0,
                   "ratios need positive finite values");
    logs[i] = log_ratio(a[i], b[i]);
  }
  PairedRatio result;
  result.n = static_cast<int>(a.size());
  result.ratio = std::exp(hodges_lehmann(logs).value());
  result.interval = exponentiate(wilcoxon_interval(logs, 1.0 - alpha));
  result.interval_margin = exponentiate(wilcoxon_interval(logs, 1.0 - 2.0 * alpha));
  result.p = signed_rank_p(logs);
  return result;
}

}  // namespace dlbench::stats
