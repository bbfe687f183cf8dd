// What every part of the measurement shares: the work (LeNet, batch 64, sgd 0.01 with momentum 0.9, on
// Fashion-MNIST), the machine, and a scratch folder.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tl/expected.hpp>

#include "host/machine.hpp"
#include "host/runner.hpp"
#include "host/workload.hpp"

namespace dlbench::bench {

// Longest chunk in steps.
inline constexpr std::int64_t step_capacity = 65'536;

struct Setup {
  frameworks::Places places;
  host::Machine machine;
  host::Workload workload;
  std::uint32_t slots = 0;  // distinct batches, as in a measured run
  std::string folder;       // exists; whoever made it removes it
  std::map<std::string, std::string> variables =
      {};  // in the environment of every runner and hand-written program
};

// Throws base::UserError when the data set is missing.
[[nodiscard]] Setup make_setup(const std::string& folder);

// The error says why it cannot be used.
[[nodiscard]] tl::expected<host::Runner, std::string> find_runner(const Setup& setup,
                                                                  const std::string& name);

// Everything that both sides of a comparison have in common; a new token each time.
[[nodiscard]] host::Launch make_launch(const Setup& setup, int threads, int process_pair);

// Inputs of all batches, then their targets, then the initial parameters: the bytes that a runner finds in
// its arena. Throws base::UserError when the file cannot be written.
void write_batch_file(const Setup& setup, const std::string& path);

}  // namespace dlbench::bench
