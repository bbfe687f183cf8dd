// One framework ready to be started: manifest, environment and placement, and the launch of one process of
// it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "frameworks/frameworks.hpp"
#include "host/machine.hpp"
#include "process/process.hpp"
#include "session/session.hpp"

namespace dlbench::host {

struct Runner {
  frameworks::Places places;
  frameworks::Manifest manifest;
  frameworks::Installed installed;
};

// What one launch needs besides the runner.
struct Launch {
  Placement placement;
  int threads = 1;
  frameworks::Purpose purpose = frameworks::Purpose::measure;
  std::string token;   // also the name of its output file
  std::string folder;  // where stdout and stderr go; exists
  std::uint64_t padding_bytes =
      0;  // length of an unused environment variable: moves the stack (Mytkowicz et al. 2009)
  std::string keep_folder;  // save arena and commands for replay; "" : nowhere
};

// Of a process that only proves, on the CPUs that a run of so many threads would have.
[[nodiscard]] Launch proving_launch(const Machine& machine, int threads, const std::string& folder,
                                    const std::string& keep_folder = {});
[[nodiscard]] process::LaunchSpec launch_spec(const Runner& runner, const Launch& launch);
// Why a process of this runner did not start, and what is gone of its environment, which it cannot know.
[[nodiscard]] session::Failure start_failure(const Runner& runner, session::Failure failure);
// INVALID where the runner's own files or the SDK are no longer those that were there when it was looked up:
// what it answers must not count for those. nullopt: they are.
[[nodiscard]] std::optional<session::Failure> change_of(const Runner& runner);
// Length of the padding for one run: a pure function of (seed, block), 0 … 4095.
[[nodiscard]] std::uint64_t environment_padding_bytes(std::uint64_t seed, int block);
// "libtorch 1.13.1 (…)" for people.
[[nodiscard]] std::string title(const Runner& runner);
// Unique in this boot: host pid, counter and clock.
[[nodiscard]] std::string new_run_token();

}  // namespace dlbench::host
