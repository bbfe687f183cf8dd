// Running the tools of an installation: with a known environment, a log, and a reason when they fail.
#pragma once

#include <chrono>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace dlbench::frameworks {

// PATH, HOME, LANG, and what the user's own network and pip configuration needs; nothing else of the
// caller's.
[[nodiscard]] std::vector<std::string> tool_environment();

struct ToolRun {
  std::vector<std::string> argv;
  std::string folder;    // working directory
  std::string log_path;  // appended to
  std::chrono::seconds timeout{3600};
};
// The error names the program, how it ended and the last lines of its log.
[[nodiscard]] tl::expected<void, std::string> run_tool(const ToolRun& run);

// Standard output and error of a short command, without the trailing newline; the error when it does not exit
// with 0.
[[nodiscard]] tl::expected<std::string, std::string> capture(const std::vector<std::string>& argv);

}  // namespace dlbench::frameworks
