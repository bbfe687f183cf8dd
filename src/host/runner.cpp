#include "host/runner.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>

#include "base/clock.hpp"
#include "base/philox.hpp"

namespace dlbench::host {

Launch proving_launch(const Machine& machine, int threads, const std::string& folder,
                      const std::string& keep_folder) {
  return {machine.cpus.empty() ? Placement{} : place(machine.cpus, threads),
          threads,
          frameworks::Purpose::prove,
          new_run_token(),
          folder,
          0,
          keep_folder};
}

process::LaunchSpec launch_spec(const Runner& runner, const Launch& launch) {
  const frameworks::Start start = frameworks::start_command(runner.places, runner.manifest, runner.installed,
                                                            launch.threads, launch.purpose);
  process::LaunchSpec spec;
  spec.launcher = runner.places.launcher;
  spec.command = start.command;
  spec.environment = start.environment;
  spec.environment.push_back("DLBENCH_PADDING=" + std::string(launch.padding_bytes, 'x'));
  spec.run_token = launch.token;
  spec.working_directory = launch.folder;
  spec.output_path = fmt::format("{}/{}.log", launch.folder, launch.token);
  spec.cpus = launch.placement.runner_cpus;
  return spec;
}

session::Failure start_failure(const Runner& runner, session::Failure failure) {
  if (const auto gone = frameworks::damage_of(runner.places, runner.manifest, runner.installed)) {
    failure.reason += "; " + *gone;
  }
  return failure;
}

std::optional<session::Failure> change_of(const Runner& runner) {
  const frameworks::Installed now =
      frameworks::installed(runner.places, runner.manifest, runner.installed.version);
  if (now.digest == runner.installed.digest) {
    return std::nullopt;
  }
  return session::Failure{"INVALID", "the files of the runner or of the SDK changed meanwhile; ask again",
                          false};
}

std::uint64_t environment_padding_bytes(std::uint64_t seed, int block) {
  const base::Random random(seed, base::Stream::environment_padding);
  return random.below(static_cast<std::uint64_t>(block), 4096);
}

std::string title(const Runner& runner) {
  if (runner.installed.version.empty()) {
    return runner.manifest.title;
  }
  const std::string& version = runner.installed.version;
  return fmt::format("{} {}", frameworks::version_entry(runner.manifest, version).title, version);
}

std::string new_run_token() {
  static std::atomic<int> counter{0};
  return fmt::format("{:x}-{:x}-{}", getpid(), base::monotonic_ns(), counter++);
}

}  // namespace dlbench::host
