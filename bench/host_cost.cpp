#include "bench/host_cost.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/clock.hpp"
#include "base/text_file.hpp"
#include "bench/sdk_loop.hpp"
#include "host/live_run.hpp"
#include "probes/machine.hpp"
#include "process/process.hpp"
#include "stats/stats.hpp"

namespace dlbench::bench {
namespace {

constexpr double window_ns = 5e9;
constexpr int window_count = 3;
constexpr std::chrono::milliseconds sample_interval{50};
constexpr double study_max_seconds = 600.0;

std::uint64_t difference(std::uint64_t a, std::uint64_t b) {
  return a > b ? a - b : 0;
}

std::uint64_t unshared_bytes(const probes::ProcessMemory& memory) {
  return difference(memory.rss_bytes.value_or(0), memory.shmem_bytes.value_or(0));
}

tl::expected<std::vector<double>, std::string> cpu_ratios(session::Session& session) {
  std::vector<double> ratios;
  std::int64_t steps = first_steps;
  for (int i = 0; i <= window_count + 1; ++i) {
    const std::int64_t before_ns = host::host_cpu_ns();
    const auto reply = session.train(steps, session::Drain::ends);
    const std::int64_t after_ns = host::host_cpu_ns();
    if (!reply) {
      return tl::unexpected(to_text(reply.error()));
    }
    const auto wall_ns = static_cast<double>(reply->window_ns);
    if (i > 1) {
      ratios.push_back(static_cast<double>(after_ns - before_ns) / wall_ns);
    }
    // The first chunk compiles and the second is short: the length of the windows comes from the second.
    if (i == 1) {
      const double wanted = window_ns / wall_ns * static_cast<double>(steps);
      steps = std::clamp(static_cast<std::int64_t>(wanted), std::int64_t{1}, step_capacity);
    }
  }
  return ratios;
}

std::string study_text(const std::string& framework) {
  return fmt::format(
      "name: overhead\nmodel: lenet\ndata: fashion-mnist\nseed: 1\n"
      "recipe:\n  batch: 64\n  optimizer: {{name: sgd, momentum: 0.9, weight_decay: 0}}\n"
      "  rate: {{policy: fixed, base: 0.01}}\n  initialiser: xavier_uniform_fan_in\n"
      "frameworks: [{0}]\ncompare: {{base: {0}, margin_ratio: 0.02, alpha: 0.05}}\nthreads: [1]\nblocks: 1\n"
      "windows:\n  warm_up: {{steps: 60, seconds: 0.8}}\n  w1: {{steps: 80, seconds: 2}}\n"
      "  w2: {{steps: 30, seconds: 0.5}}\n",
      framework);
}

// What dlbench itself looks up in its environment.
std::vector<std::string> host_environment() {
  std::vector<std::string> environment;
  for (const char* name : {"PATH", "HOME", "DLBENCH_CACHE", "XDG_CACHE_HOME", "DLBENCH_RUNNERS"}) {
    if (const char* value = std::getenv(name)) {
      environment.push_back(std::string(name) + "=" + value);
    }
  }
  return environment;
}

process::LaunchSpec study_launch(const Setup& setup, const std::string& study) {
  process::LaunchSpec spec;
  spec.launcher = setup.places.launcher;
  const std::string dlbench = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "dlbench";
  spec.command = {dlbench, "run", study, "--workspace", setup.folder + "/workspace", "--allow-weak"};
  spec.environment = host_environment();
  spec.run_token = host::new_run_token();
  spec.working_directory = setup.folder;
  spec.output_path = setup.folder + "/study.log";
  return spec;
}

// nullopt: it did not end in time.
std::optional<process::ExitStatus> watch(process::Child& child, StudyCost& cost) {
  const std::int64_t begin_ns = base::monotonic_ns();
  std::optional<process::ExitStatus> status;
  while (!status && cost.seconds < study_max_seconds) {
    const probes::ProcessMemory memory = probes::read_memory(child.pid());
    cost.peak_bytes = std::max(cost.peak_bytes, unshared_bytes(memory));
    cost.peak_rss_bytes = std::max(cost.peak_rss_bytes, memory.peak_rss_bytes.value_or(0));
    status = child.wait(sample_interval);
    cost.seconds = static_cast<double>(base::monotonic_ns() - begin_ns) * 1e-9;
  }
  return status;
}

}  // namespace

tl::expected<HostCost, std::string> measure_host(const Setup& setup, const std::string& framework) {
  const auto runner = find_runner(setup, framework);
  if (!runner) {
    return tl::unexpected(runner.error());
  }
  const host::Launch launch = make_launch(setup, 1, 0);
  const host::HostConfinement confinement(launch.placement);
  const auto session = start_session(setup, *runner, launch);
  if (!session) {
    return tl::unexpected(session.error());
  }
  const auto ratios = cpu_ratios(**session);
  if (!ratios) {
    return tl::unexpected(ratios.error());
  }
  const probes::ProcessMemory memory = probes::read_memory(getpid());
  HostCost cost;
  cost.title = framework;
  cost.windows = window_count;
  cost.window_seconds = window_ns * 1e-9;
  cost.median_cpu_ratio = *stats::median(*ratios);
  cost.highest_cpu_ratio = std::ranges::max(*ratios);
  cost.rss_bytes = unshared_bytes(memory);
  return cost;
}

tl::expected<StudyCost, std::string> measure_study(const Setup& setup, const std::string& framework) {
  if (const auto runner = find_runner(setup, framework); !runner) {
    return tl::unexpected(runner.error());
  }
  const std::string study = setup.folder + "/overhead.yaml";
  base::write_text_file(study, study_text(framework));
  const process::LaunchSpec spec = study_launch(setup, study);
  auto child = process::launch(spec);
  if (!child) {
    return tl::unexpected(child.error());
  }
  StudyCost cost;
  cost.title = framework;
  const auto status = watch(**child, cost);
  if (!status) {
    return tl::unexpected(fmt::format("dlbench run did not end within {} s", study_max_seconds));
  }
  cost.complete = !status->signalled && status->code == 0;
  if (status->signalled || status->code > 1) {
    return tl::unexpected(fmt::format("dlbench run ended with {}: {}", process::to_text(*status),
                                      process::tail_of_file(spec.output_path, 1024)));
  }
  return cost;
}

}  // namespace dlbench::bench
