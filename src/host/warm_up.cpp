#include "host/warm_up.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/error.hpp"
#include "stats/stats.hpp"

namespace dlbench::host {
namespace {

constexpr std::size_t compared_chunks = 3;
constexpr std::int64_t slow_least_steps = 5;
constexpr std::int64_t cap_never_under_steps = 20;

bool last_chunks_agree(const std::vector<double>& step_ns) {
  if (step_ns.size() < compared_chunks) {
    return false;
  }
  const std::span<const double> last(step_ns.end() - compared_chunks, step_ns.end());
  const double middle = stats::median(last).value();
  const double allowed = std::max(0.01 * middle, 3.0 * stats::mad(last).value());
  return std::all_of(last.begin(), last.end(), [&](double x) { return std::abs(x - middle) <= allowed; });
}

}  // namespace

std::int64_t warm_up_chunk_steps(std::int64_t first_step_ns) {
  return first_step_ns > slow_step_ns ? 5 : 20;
}

WarmUpState warm_up_state(const WarmUpRule& rule, const std::vector<double>& step_ns, std::int64_t steps,
                          double seconds, bool slow) {
  const std::int64_t least_steps = slow ? std::min(slow_least_steps, rule.least_steps) : rule.least_steps;
  const bool floors_met = steps >= least_steps && (slow || seconds >= rule.least_seconds);
  if (floors_met && last_chunks_agree(step_ns)) {
    return WarmUpState::warm;
  }
  const bool capped = steps >= rule.cap_steps || seconds >= rule.cap_seconds;
  return capped && steps >= cap_never_under_steps ? WarmUpState::unsteady : WarmUpState::cold;
}

}  // namespace dlbench::host
