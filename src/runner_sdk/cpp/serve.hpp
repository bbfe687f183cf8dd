// The whole life of a runner behind one call: open the arena, describe, serve commands, run the timed loop.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "runner_sdk/cpp/session.hpp"
#include "runner_sdk/cpp/unsupported.hpp"

namespace dlbench::sdk {

// The runner's first message; see docs/formats/protocol.md. ops and optimizers are the names() of its tables.
struct Description {
  std::string runner;
  std::string framework;
  std::string version;  // as the loaded framework itself reports it
  std::string build;    // free text: compiler, flags, back end
  std::vector<std::string> ops;
  std::vector<std::string> optimizers;
  std::vector<std::string> devices = {"cpu"};
  std::vector<std::string> precisions = {"fp32"};
  std::vector<std::string> deviations;
  std::string input = "alias";  // what the framework does with a host batch: alias, copy or transfer
};

// Builds the session for one load and compiles what can be compiled beforehand. Ops, optimizer, device and
// precision are already checked against the description. Throws Unsupported for anything else that is not
// possible.
using Factory = std::function<std::unique_ptr<Session>(const Load&)>;

// Serves until `quit` or until the host is gone. The value is main's: 0, or 1 when there was nobody to serve
// (the reason is on stderr).
[[nodiscard]] int serve(const Description& description, const Factory& factory);

}  // namespace dlbench::sdk
