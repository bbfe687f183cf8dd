// Machine state around a run, read from /proc and /sys under an injectable root. Missing files are "absent",
// never 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dlbench::probes {

struct CpuTimes {  // clock ticks (USER_HZ) since boot, of the chosen CPUs
  std::uint64_t user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
  [[nodiscard]] std::uint64_t busy() const { return user + nice + system + irq + softirq; }
  [[nodiscard]] std::uint64_t total() const { return busy() + idle + iowait + steal; }
};

struct MachineState {
  std::string cpu_model;
  std::string cpu_flags;
  int online_cpus = 0;
  std::string kernel;
  std::optional<std::string> governor;
  std::optional<bool> turbo;
  std::optional<bool> smt_active;
  std::optional<double> frequency_mhz;
  std::optional<double> load_1min;
  std::optional<double> pressure_cpu_some_avg10;
  std::uint64_t memory_total_bytes = 0;
  std::uint64_t memory_available_bytes = 0;
  std::uint64_t swap_used_bytes = 0;
  std::vector<CpuTimes> cpu_times;  // per CPU
  std::int64_t taken_ns = 0;
};

struct Processor {
  std::string model;
  std::string flags;  // what it can do; the features of an Arm
};
// The first one of a /proc/cpuinfo.
[[nodiscard]] Processor parse_processor(std::string_view cpuinfo);
// Of this machine, read once.
[[nodiscard]] const Processor& this_processor();

// `root` is "/" except in tests.
[[nodiscard]] MachineState read_machine(const std::string& root = "/");
[[nodiscard]] std::string to_json(const MachineState& state);

// What others did to `cpus` between two states. `own_ticks`: ticks of the runner's tree and of dlbench
// itself.
struct Disturbance {
  double steal_ratio = 0.0;  // of elapsed time on those CPUs
  double foreign_ratio = 0.0;
};
[[nodiscard]] Disturbance disturbance(const MachineState& before, const MachineState& after,
                                      const std::vector<int>& cpus, std::uint64_t own_ticks);

struct ProcessMemory {
  std::optional<std::uint64_t> peak_rss_bytes;  // VmHWM
  std::optional<std::uint64_t> rss_bytes;
  std::optional<std::uint64_t> shmem_bytes;  // RssShmem
};
[[nodiscard]] ProcessMemory read_memory(int pid, const std::string& root = "/");
// user + system clock ticks of a process; nullopt when it is gone.
[[nodiscard]] std::optional<std::uint64_t> process_ticks(int pid, const std::string& root = "/");

struct ThreadView {
  int thread_count = 0;
  bool inside = true;  // every thread's allowed CPUs lie inside the requested set
  std::string outside_detail;
};
// Affinity of every thread of a process, read from task/*/status.
[[nodiscard]] ThreadView read_threads(int pid, const std::vector<int>& cpus, const std::string& root = "/");
// BLAS and OpenMP files mapped by the process.
[[nodiscard]] std::vector<std::string> mapped_math_libraries(int pid, const std::string& root = "/");

// CPUs this process may use, in the order of cores before hyper-threads (hwloc).
[[nodiscard]] std::vector<int> usable_cpus();

}  // namespace dlbench::probes
