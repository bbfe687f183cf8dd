// dlbench doctor: is this machine, this build and this installation fit to measure?

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "data/dataset.hpp"
#include "dlbench/build_info.hpp"
#include "dlbench/command.hpp"
#include "frameworks/frameworks.hpp"
#include "probes/machine.hpp"

namespace dlbench::app {
namespace {

constexpr double quiet_load_per_cpu = 0.2;
constexpr double steal_warning_ratio = 0.02;

class Findings {
 public:
  void say(bool good, const std::string& what, const std::string& value, const std::string& advice) {
    fmt::print("{:<5} {:<18} {}\n", good ? "ok" : "warn", what, value);
    if (!good) {
      fmt::print("      {:<18} {}\n", "", advice);
      warned_ = true;
    }
  }
  [[nodiscard]] bool warned() const { return warned_; }

 private:
  bool warned_ = false;
};

void check_machine(Findings& findings) {
  const probes::MachineState state = probes::read_machine();
  findings.say(true, "CPU", fmt::format("{}, {} usable", state.cpu_model, probes::usable_cpus().size()), "");
  findings.say(!state.governor || *state.governor == "performance", "governor",
               state.governor.value_or("absent (virtual machine?)"),
               "frequency changes widen every interval: cpupower frequency-set -g performance");
  const double load = state.load_1min.value_or(0.0);
  findings.say(load <= quiet_load_per_cpu * state.online_cpus, "load",
               state.load_1min ? fmt::format("{:.2f}", load) : "absent",
               "other work takes CPU time; runs that it disturbs become INVALID");
  findings.say(state.swap_used_bytes == 0, "swap in use", fmt::format("{} MiB", state.swap_used_bytes >> 20U),
               "swapped pages slow the first steps");
  findings.say(state.memory_available_bytes > (2ULL << 30U), "free memory",
               fmt::format("{} MiB", state.memory_available_bytes >> 20U), "large models may end as OOM");
  std::uint64_t steal = 0;
  std::uint64_t total = 0;
  for (const probes::CpuTimes& times : state.cpu_times) {
    steal += times.steal;
    total += times.total();
  }
  const double ratio = total == 0 ? 0.0 : static_cast<double>(steal) / static_cast<double>(total);
  findings.say(ratio < steal_warning_ratio, "steal since boot", fmt::format("{:.2f} %", 100.0 * ratio),
               "the hypervisor takes CPU time away; compare only within one run");
  findings.say(base::clock_resolution_ns() < 1000, "clock resolution",
               fmt::format("{} ns", base::clock_resolution_ns()), "short steps cannot be timed");
}

void check_installation(Findings& findings) {
  const BuildInfo build = build_info();
  findings.say(build.fit(), "dlbench",
               fmt::format("{} {}{} {} {}", build.version, build.commit, build.dirty ? "+changes" : "",
                           build.build_type, build.compiler),
               "build with CMAKE_BUILD_TYPE=Release and no sanitizer");
  const frameworks::Places places = frameworks::find_places();
  for (const auto& [what, path] : {std::pair("runners", places.runners), std::pair("runner SDK", places.sdk),
                                   std::pair("launcher", places.launcher)}) {
    findings.say(std::filesystem::exists(path), what, path, "the installation is incomplete: build again");
  }
  frameworks::Survey survey;
  for (const frameworks::Manifest& manifest : frameworks::all_manifests(places)) {
    const frameworks::Installed found = frameworks::installed(places, manifest);
    findings.say(found.state != frameworks::State::broken, manifest.name,
                 found.state == frameworks::State::ready ? found.version : survey.why_not(manifest, found),
                 fmt::format("dlbench install {}", manifest.name));
  }
  for (const data::DatasetInfo& info : data::known_datasets()) {
    if (!info.default_folder.empty()) {
      findings.say(std::filesystem::exists(info.default_folder), info.name, info.default_folder, info.hint);
    }
  }
}

}  // namespace

void add_doctor(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("doctor", "Check whether this machine and installation are fit to measure");
  command->callback([&action] {
    action = [] {
      Findings findings;
      check_machine(findings);
      check_installation(findings);
      return findings.warned() ? exit_rows : exit_ok;
    };
  });
}

}  // namespace dlbench::app
