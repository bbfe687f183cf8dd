#include "bench/loop_cost.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "bench/hand_loop.hpp"
#include "bench/hand_program.hpp"
#include "bench/sdk_loop.hpp"
#include "probes/machine.hpp"

namespace dlbench::bench {
namespace {

constexpr double alpha = 0.05;
constexpr double chunk_ns = 0.3e9;
constexpr double warm_up_ns = 1.5e9;
// Two implementations in float32 drift apart by far less within 20 steps; another network, rate or order of
// the data by far more.
constexpr double loss_tolerance_ratio = 1e-3;

using Done = tl::expected<void, std::string>;
using Start = std::function<StartedLoop(const host::Launch&)>;

struct Sides {
  Start sdk;
  Start hand;
};

struct ProcessPair {
  std::unique_ptr<TimedLoop> sdk;
  std::unique_ptr<TimedLoop> hand;
};

// Times per step of paired chunks, in ns.
struct Times {
  std::vector<double> sdk;
  std::vector<double> hand;
};

tl::expected<Sides, std::string> sides_of(const Setup& setup, const std::string& framework, bool control) {
  const auto runner = find_runner(setup, framework);
  if (!runner) {
    return tl::unexpected(runner.error());
  }
  const auto program = hand_program(*runner, setup.folder);
  if (!program) {
    return tl::unexpected(program.error());
  }
  const std::string batch_file = setup.folder + "/batches.bin";
  write_batch_file(setup, batch_file);
  const Start hand = [&setup, runner = *runner, program = *program, batch_file](const host::Launch& launch) {
    return start_hand_loop(setup, runner, program, batch_file, launch);
  };
  const Start sdk = [&setup, runner = *runner](const host::Launch& launch) {
    return start_sdk_loop(setup, runner, launch);
  };
  return Sides{control ? hand : sdk, hand};
}

// Who starts first changes from pair to pair, as it decides who gets which pages.
tl::expected<ProcessPair, std::string> start_pair(const Setup& setup, const Sides& sides, int threads,
                                                  int index) {
  ProcessPair pair;
  for (const bool is_sdk : {index % 2 == 0, index % 2 != 0}) {
    auto loop = (is_sdk ? sides.sdk : sides.hand)(make_launch(setup, threads, index));
    if (!loop) {
      return tl::unexpected(loop.error());
    }
    (is_sdk ? pair.sdk : pair.hand) = std::move(*loop);
  }
  return pair;
}

tl::expected<double, std::string> step_ns(TimedLoop& loop, std::int64_t steps) {
  return loop.run(steps).map([steps](const Chunk& chunk) {
    return static_cast<double>(chunk.window_ns) / static_cast<double>(steps);
  });
}

// From the same weights on the same batches, both must arrive at the same loss.
Done check_same_work(ProcessPair& pair) {
  const auto sdk = pair.sdk->run(first_steps);
  if (!sdk) {
    return tl::unexpected(sdk.error());
  }
  const auto hand = pair.hand->run(first_steps);
  if (!hand) {
    return tl::unexpected(hand.error());
  }
  if (std::abs(sdk->loss - hand->loss) > loss_tolerance_ratio * std::abs(hand->loss)) {
    return tl::unexpected(fmt::format("after {} steps the loss is {} here and {} in the hand-written program",
                                      first_steps, sdk->loss, hand->loss));
  }
  return {};
}

std::int64_t steps_for(double wanted_ns, double one_step_ns) {
  return std::clamp<std::int64_t>(std::llround(wanted_ns / one_step_ns), 1, step_capacity);
}

// Both sides run the same steps throughout, so that they are always equally far in the training. Returns the
// hand-written program's time per step.
tl::expected<double, std::string> warm_up(ProcessPair& pair) {
  const auto guess = step_ns(*pair.hand, first_steps);
  if (!guess) {
    return guess;
  }
  if (const auto same = pair.sdk->run(first_steps); !same) {
    return tl::unexpected(same.error());
  }
  const std::int64_t steps = steps_for(warm_up_ns, *guess);
  if (const auto sdk = pair.sdk->run(steps); !sdk) {
    return tl::unexpected(sdk.error());
  }
  return step_ns(*pair.hand, steps);
}

Done measure_chunks(ProcessPair& pair, std::int64_t steps, int count, int index, Times& times) {
  for (int c = 0; c < count; ++c) {
    const bool sdk_first = (c + index) % 2 == 0;
    for (const bool is_sdk : {sdk_first, !sdk_first}) {
      const auto time = step_ns(is_sdk ? *pair.sdk : *pair.hand, steps);
      if (!time) {
        return tl::unexpected(time.error());
      }
      (is_sdk ? times.sdk : times.hand).push_back(*time);
    }
  }
  return {};
}

std::uint64_t own_ticks(const ProcessPair& pair, bool shared_host) {
  const auto ticks = [](int pid) { return probes::process_ticks(pid).value_or(0); };
  return ticks(pair.sdk->pid()) + ticks(pair.hand->pid()) + (shared_host ? ticks(getpid()) : 0);
}

Done measure_pair(const Setup& setup, const Sides& sides, const LoopOptions& options, int index,
                  LoopCost& cost, Times& all) {
  auto pair = start_pair(setup, sides, cost.threads, index);
  if (!pair) {
    return tl::unexpected(pair.error());
  }
  if (const Done same = check_same_work(*pair); !same) {
    return same;
  }
  const auto warm_ns = warm_up(*pair);
  if (!warm_ns) {
    return tl::unexpected(warm_ns.error());
  }
  if (cost.chunk_steps == 0) {
    cost.chunk_steps = options.steps > 0 ? options.steps : steps_for(chunk_ns, *warm_ns);
  }
  const host::Placement placement = host::place(setup.machine.cpus, cost.threads);
  const std::uint64_t ticks = own_ticks(*pair, cost.shared_host);
  const probes::MachineState before = probes::read_machine();
  Times times;
  const int count = std::max(1, options.chunk_pairs / options.process_pairs);
  if (const Done done = measure_chunks(*pair, cost.chunk_steps, count, index, times); !done) {
    return done;
  }
  const probes::Disturbance others = probes::disturbance(
      before, probes::read_machine(), placement.runner_cpus, own_ticks(*pair, cost.shared_host) - ticks);
  cost.foreign_ratio = std::max(cost.foreign_ratio, others.foreign_ratio + others.steal_ratio);
  cost.process_ratios.push_back(stats::paired_ratio(times.sdk, times.hand, alpha)->ratio);
  all.sdk.insert(all.sdk.end(), times.sdk.begin(), times.sdk.end());
  all.hand.insert(all.hand.end(), times.hand.begin(), times.hand.end());
  return {};
}

}  // namespace

tl::expected<LoopCost, std::string> measure_loop(const Setup& setup, const std::string& framework,
                                                 int threads, const LoopOptions& options) {
  const auto sides = sides_of(setup, framework, options.control);
  if (!sides) {
    return tl::unexpected(sides.error());
  }
  const host::Placement placement = host::place(setup.machine.cpus, threads);
  const host::HostConfinement confinement(placement);
  LoopCost cost;
  cost.title = framework + (options.control ? " (control)" : "");
  cost.threads = threads;
  cost.shared_host = placement.shared_host;
  Times all;
  for (int index = 0; index < options.process_pairs; ++index) {
    if (const Done done = measure_pair(setup, *sides, options, index, cost, all); !done) {
      return tl::unexpected(done.error());
    }
  }
  const std::vector<double> ones(cost.process_ratios.size(), 1.0);
  cost.chunk_pairs = static_cast<int>(all.sdk.size());
  cost.sdk_step_ns = *stats::median(all.sdk);
  cost.hand_step_ns = *stats::median(all.hand);
  cost.between = *stats::paired_ratio(cost.process_ratios, ones, alpha);
  cost.within = *stats::paired_ratio(all.sdk, all.hand, alpha);
  return cost;
}

}  // namespace dlbench::bench
