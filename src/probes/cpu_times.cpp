#include "probes/cpu_times.hpp"

#include <array>

#include "probes/kernel_text.hpp"

namespace dlbench::probes {
namespace {

// Counters of the kernel may run backwards (iowait does, and any after a CPU went off and on line): then
// nothing is known about the interval, and 0 is the only honest difference.
std::uint64_t grown(std::uint64_t before, std::uint64_t after) {
  return after > before ? after - before : 0;
}

CpuTimes difference(const CpuTimes& before, const CpuTimes& after) {
  return {grown(before.user, after.user),       grown(before.nice, after.nice),
          grown(before.system, after.system),   grown(before.idle, after.idle),
          grown(before.iowait, after.iowait),   grown(before.irq, after.irq),
          grown(before.softirq, after.softirq), grown(before.steal, after.steal)};
}

}  // namespace

std::vector<CpuTimes> parse_cpu_times(std::string_view text) {
  std::vector<CpuTimes> times;
  for (const std::string_view line : split_lines(text)) {
    const auto words = split_words(line);
    if (words.empty() || words[0].substr(0, 3) != "cpu") {
      continue;
    }
    const auto cpu = parse_count(words[0].substr(3));
    if (!cpu || *cpu >= max_cpus) {
      continue;  // the line of all CPUs together
    }
    // user nice system idle iowait irq softirq steal; older kernels end earlier. Guest time is inside user.
    std::array<std::uint64_t, 8> values{};
    for (std::size_t i = 0; i < values.size() && i + 1 < words.size(); ++i) {
      values[i] = parse_count(words[i + 1]).value_or(0);
    }
    times.resize(std::max(times.size(), static_cast<std::size_t>(*cpu) + 1));
    times[*cpu] = {values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7]};
  }
  return times;
}

Disturbance disturbance(const MachineState& before, const MachineState& after, const std::vector<int>& cpus,
                        std::uint64_t own_ticks) {
  std::uint64_t steal = 0;
  std::uint64_t busy = 0;
  std::uint64_t total = 0;
  for (const int cpu : cpus) {
    const auto i = static_cast<std::size_t>(cpu);
    if (cpu < 0 || i >= before.cpu_times.size() || i >= after.cpu_times.size()) {
      continue;
    }
    const CpuTimes spent = difference(before.cpu_times[i], after.cpu_times[i]);
    steal += spent.steal;
    busy += spent.busy();
    total += spent.total();
  }
  if (total == 0) {
    return {};
  }
  const auto elapsed = static_cast<double>(total);
  return {static_cast<double>(steal) / elapsed, static_cast<double>(grown(own_ticks, busy)) / elapsed};
}

}  // namespace dlbench::probes
