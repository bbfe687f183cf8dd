#include "host/measure_run.hpp"

#include <algorithm>
#include <cmath>

#include "host/live_run.hpp"
#include "host/warm_up.hpp"
#include "stats/stats.hpp"

namespace dlbench::host {
namespace {

using session::Drain;
using session::Expected;

// Longest chunk: 2 MiB of records. A window of faster steps than this allows for is shorter than asked, and
// says so through its step count.
constexpr std::uint64_t step_capacity = 65'536;

void fill_ring(LiveRun& run, std::uint32_t slots) {
  const Workload& work = run.request().workload;
  const auto order = data::epoch_order(work.seed, 0, static_cast<std::uint32_t>(work.dataset->train.count));
  for (std::uint32_t k = 0; k < slots; ++k) {
    put_samples(run.session().arena(), k, work.dataset->train, order.data() + k * work.recipe.batch,
                work.recipe.batch);
  }
}

std::vector<double> step_times_ns(const protocol::Arena& arena) {
  std::vector<double> times;
  for (const dlb_step_record& record : arena.records()) {
    times.push_back(static_cast<double>(record.end_ns - record.begin_ns));
  }
  return times;
}

// The count found in the first block holds for all runs of the case.
Expected<double> repeat_warm_up(LiveRun& run, std::int64_t steps) {
  return run.work(steps, Drain::ends).map([&](const session::ChunkReply& reply) {
    run.metric("warm_up_steps", static_cast<double>(steps));
    return static_cast<double>(reply.window_ns) / static_cast<double>(steps);
  });
}

Expected<double> find_warm_up(LiveRun& run, std::int64_t first_step_ns) {
  const study::WindowSettings& windows = run.request().windows;
  WarmUpRule rule;
  rule.least_steps = windows.warm_up_steps;
  rule.least_seconds = windows.warm_up_seconds;
  const std::int64_t chunk_steps = warm_up_chunk_steps(first_step_ns);
  std::vector<double> chunks_ns;
  std::int64_t steps = 0;
  double seconds = 0.0;
  WarmUpState state = WarmUpState::cold;
  while (state == WarmUpState::cold) {
    const auto reply = run.work(chunk_steps, Drain::ends);
    if (!reply) {
      return tl::unexpected(reply.error());
    }
    steps += chunk_steps;
    seconds += static_cast<double>(reply->window_ns) * 1e-9;
    chunks_ns.push_back(static_cast<double>(reply->window_ns) / static_cast<double>(chunk_steps));
    const bool slow = chunks_ns.back() > static_cast<double>(slow_step_ns);
    state = warm_up_state(rule, chunks_ns, steps, seconds, slow);
  }
  if (state == WarmUpState::unsteady) {
    run.mark(record::OutcomeKind::unsteady, "the step time did not settle within the warm-up's cap");
  }
  run.metric("warm_up_steps", static_cast<double>(steps));
  const double step_ns = chunks_ns.back();
  run.series(record::SeriesKind::warm_up_step, "ns", std::move(chunks_ns));
  return step_ns;
}

Expected<double> first_step_and_warm_up(LiveRun& run) {
  run.begin_phase("first_step");
  const auto first = run.work(1, Drain::ends);
  run.end_phase();
  if (!first) {
    return tl::unexpected(first.error());
  }
  run.metric("first_step_ns", static_cast<double>(first->window_ns));
  run.begin_phase("warm_up");
  const auto known = run.request().warm_up_steps;
  const auto step_ns = known ? repeat_warm_up(run, *known) : find_warm_up(run, first->window_ns);
  run.end_phase();
  return step_ns;
}

std::int64_t window_steps(double step_ns, double seconds, std::int64_t least_steps) {
  const double wanted = std::ceil(seconds * 1e9 / std::max(step_ns, 1.0));
  const double bounded =
      std::clamp(wanted, static_cast<double>(least_steps), static_cast<double>(step_capacity));
  return static_cast<std::int64_t>(bounded);
}

Expected<void> throughput_window(LiveRun& run, double step_ns) {
  const study::WindowSettings& windows = run.request().windows;
  const std::int64_t steps = window_steps(step_ns, windows.w1_seconds, windows.w1_steps);
  const std::int64_t host_before_ns = host_cpu_ns();
  const auto reply = run.work(steps, Drain::ends);
  const std::int64_t host_after_ns = host_cpu_ns();
  if (!reply) {
    return tl::unexpected(reply.error());
  }
  const auto wall_ns = static_cast<double>(reply->window_ns);
  const auto count = static_cast<double>(reply->steps);
  run.metric("step_time_ns", wall_ns / count);
  run.metric("samples_per_s",
             count * static_cast<double>(run.request().workload.recipe.batch) * 1e9 / wall_ns);
  run.metric("w1_steps", count);
  run.metric("cpu_ratio", static_cast<double>(reply->cpu_ns) / wall_ns);
  run.metric("host_cpu_ratio", static_cast<double>(host_after_ns - host_before_ns) / wall_ns);
  if (reply->last_loss) {
    run.metric("final_loss", *reply->last_loss);
  }
  run.series(record::SeriesKind::w1_step, "ns", step_times_ns(run.session().arena()));
  return {};
}

Expected<void> latency_window(LiveRun& run, double step_ns) {
  const study::WindowSettings& windows = run.request().windows;
  const std::int64_t steps = window_steps(step_ns, windows.w2_seconds, windows.w2_steps);
  const auto reply = run.work(steps, Drain::each);
  if (!reply) {
    return tl::unexpected(reply.error());
  }
  std::vector<double> times = step_times_ns(run.session().arena());
  run.metric("step_latency_ns", stats::median(times).value());
  run.metric("w2_steps", static_cast<double>(reply->steps));
  run.series(record::SeriesKind::w2_step, "ns", std::move(times));
  return {};
}

Expected<void> measure_windows(LiveRun& run, double step_ns) {
  run.watch_begin();
  run.begin_phase("window");
  const Expected<void> result =
      throughput_window(run, step_ns).and_then([&] { return latency_window(run, step_ns); });
  run.end_phase();
  if (result) {
    run.watch_end();
    run.judge_disturbance();
  }
  return result;
}

}  // namespace

record::Run measure_run(const RunRequest& request) {
  LiveRun run(request);
  const std::uint32_t slots = ring_slots(request.workload, request.machine.last_level_cache_bytes);
  const Expected<void> result = run.start(slots, step_capacity)
                                    .and_then([&] { return run.build(); })
                                    .and_then([&] {
                                      fill_ring(run, slots);
                                      return run.put_initial();
                                    })
                                    .and_then([&] { return first_step_and_warm_up(run); })
                                    .and_then([&](double step_ns) { return measure_windows(run, step_ns); })
                                    .and_then([&] { return run.recheck_and_stop(); });
  run.metric("ring_slots", slots);
  return run.finish(result);
}

}  // namespace dlbench::host
