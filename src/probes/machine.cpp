#include "probes/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/clock.hpp"
#include "probes/cpu_times.hpp"
#include "probes/kernel_text.hpp"

namespace dlbench::probes {
namespace {

constexpr const char* cpu_folder = "/sys/devices/system/cpu";

std::optional<bool> read_switch(const std::string& path) {
  const auto text = read_first_line(path);
  if (!text || (*text != "0" && *text != "1")) {
    return std::nullopt;
  }
  return *text == "1";
}

// Intel's driver has a switch that turns turbo off, the others one that turns boost on.
std::optional<bool> read_turbo(const std::string& root) {
  if (const auto off = read_switch(root + cpu_folder + "/intel_pstate/no_turbo")) {
    return !*off;
  }
  return read_switch(root + cpu_folder + "/cpufreq/boost");
}

std::vector<int> online_cpus(const std::string& root, const std::vector<CpuTimes>& times) {
  const auto text = read_first_line(root + cpu_folder + "/online");
  auto cpus = text ? parse_cpu_list(*text) : std::nullopt;
  if (cpus && !cpus->empty()) {
    return std::move(*cpus);
  }
  std::vector<int> counted;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (times[i].total() > 0) {
      counted.push_back(static_cast<int>(i));
    }
  }
  return counted;
}

// One name, or all different ones where the CPUs disagree.
std::optional<std::string> read_governor(const std::string& root, const std::vector<int>& cpus) {
  std::set<std::string> names;
  for (const int cpu : cpus) {
    if (auto name =
            read_first_line(fmt::format("{}{}/cpu{}/cpufreq/scaling_governor", root, cpu_folder, cpu))) {
      names.insert(std::move(*name));
    }
  }
  return names.empty() ? std::nullopt : std::optional(fmt::format("{}", fmt::join(names, "+")));
}

std::optional<double> mean(const std::vector<double>& values) {
  if (values.empty()) {
    return std::nullopt;
  }
  double sum = 0.0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

// Mean over the CPUs; /proc/cpuinfo where there is no cpufreq (virtual machines).
std::optional<double> read_frequency_mhz(const std::string& root, const std::vector<int>& cpus,
                                         std::string_view cpuinfo) {
  std::vector<double> values;
  for (const int cpu : cpus) {
    const auto text =
        read_first_line(fmt::format("{}{}/cpu{}/cpufreq/scaling_cur_freq", root, cpu_folder, cpu));
    if (const auto khz = parse_count(text.value_or(""))) {
      values.push_back(static_cast<double>(*khz) / 1000.0);
    }
  }
  if (!values.empty()) {
    return mean(values);
  }
  for (const std::string_view line : split_lines(cpuinfo)) {
    if (const auto value = find_value(line, "cpu MHz")) {
      if (const auto mhz = parse_real(*value)) {
        values.push_back(*mhz);
      }
    }
  }
  return mean(values);
}

void read_meminfo(const std::string& root, MachineState& state) {
  const auto meminfo = read_kernel_file(root + "/proc/meminfo").value_or("");
  state.memory_total_bytes = find_kib(meminfo, "MemTotal").value_or(0);
  state.memory_available_bytes = find_kib(meminfo, "MemAvailable").value_or(0);
  const std::uint64_t swap_total = find_kib(meminfo, "SwapTotal").value_or(0);
  state.swap_used_bytes =
      swap_total - std::min(swap_total, find_kib(meminfo, "SwapFree").value_or(swap_total));
}

std::optional<double> read_load(const std::string& root) {
  const auto line = read_first_line(root + "/proc/loadavg");
  const auto words = split_words(line ? *line : std::string_view());
  return words.empty() ? std::nullopt : parse_real(words[0]);
}

// The line "some avg10=1.23 avg60=…" of pressure stall information.
std::optional<double> read_cpu_pressure(const std::string& root) {
  constexpr std::string_view key = "avg10=";
  const auto line = read_first_line(root + "/proc/pressure/cpu");
  const auto words = split_words(line ? *line : std::string_view());
  if (words.size() < 2 || words[0] != "some" || words[1].substr(0, key.size()) != key) {
    return std::nullopt;
  }
  return parse_real(words[1].substr(key.size()));
}

}  // namespace

Processor parse_processor(std::string_view cpuinfo) {
  Processor processor;
  // x86 names the model and its flags, Arm the part and its features.
  const auto model = find_value(cpuinfo, "model name");
  const auto part = find_value(cpuinfo, "CPU part");
  if (model) {
    processor.model = std::string(*model);
  } else if (part) {
    processor.model =
        fmt::format("implementer {} part {}", find_value(cpuinfo, "CPU implementer").value_or("?"), *part);
  }
  const auto flags = find_value(cpuinfo, "flags");
  processor.flags = std::string(flags ? *flags : find_value(cpuinfo, "Features").value_or(""));
  return processor;
}

const Processor& this_processor() {
  static const Processor processor = parse_processor(read_kernel_file("/proc/cpuinfo").value_or(""));
  return processor;
}

MachineState read_machine(const std::string& root) {
  MachineState state;
  state.taken_ns = base::monotonic_ns();
  state.cpu_times = parse_cpu_times(read_kernel_file(root + "/proc/stat").value_or(""));
  const std::string cpuinfo = read_kernel_file(root + "/proc/cpuinfo").value_or("");
  const std::vector<int> cpus = online_cpus(root, state.cpu_times);
  const Processor processor = parse_processor(cpuinfo);
  state.cpu_model = processor.model;
  state.cpu_flags = processor.flags;
  read_meminfo(root, state);
  state.online_cpus = static_cast<int>(cpus.size());
  state.kernel = read_first_line(root + "/proc/sys/kernel/osrelease").value_or("");
  state.governor = read_governor(root, cpus);
  state.turbo = read_turbo(root);
  state.smt_active = read_switch(root + cpu_folder + "/smt/active");
  state.frequency_mhz = read_frequency_mhz(root, cpus, cpuinfo);
  state.load_1min = read_load(root);
  state.pressure_cpu_some_avg10 = read_cpu_pressure(root);
  return state;
}

}  // namespace dlbench::probes
