#include "bench/null_step.hpp"

#include <algorithm>
#include <vector>

#include "bench/sdk_loop.hpp"
#include "stats/stats.hpp"

namespace dlbench::bench {
namespace {

constexpr std::int64_t null_steps = 50'000;
constexpr int chunks = 15;

tl::expected<NullStep::Time, std::string> time_steps(session::Session& session, session::Drain drain) {
  std::vector<double> times_ns;
  for (int i = 0; i <= chunks; ++i) {
    const auto reply = session.train(null_steps, drain);
    if (!reply) {
      return tl::unexpected(to_text(reply.error()));
    }
    if (i > 0) {  // the first one warms up
      times_ns.push_back(static_cast<double>(reply->window_ns) / static_cast<double>(null_steps));
    }
  }
  const auto [lowest, highest] = std::ranges::minmax(times_ns);
  return NullStep::Time{*stats::median(times_ns), lowest, highest};
}

}  // namespace

tl::expected<NullStep, std::string> measure_null_step(const Setup& setup, const std::string& name) {
  const auto runner = find_runner(setup, name);
  if (!runner) {
    return tl::unexpected(runner.error());
  }
  const host::Launch launch = make_launch(setup, 1, 0);
  const host::HostConfinement confinement(launch.placement);
  const auto session = start_session(setup, *runner, launch);
  if (!session) {
    return tl::unexpected(session.error());
  }
  const auto ends = time_steps(**session, session::Drain::ends);
  if (!ends) {
    return tl::unexpected(ends.error());
  }
  const auto each = time_steps(**session, session::Drain::each);
  if (!each) {
    return tl::unexpected(each.error());
  }
  return NullStep{runner->manifest.title, *ends, *each};
}

}  // namespace dlbench::bench
