#include "frameworks/tools.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>

#include "base/error.hpp"
#include "process/command.hpp"
#include "process/process.hpp"

namespace dlbench::frameworks {

namespace {

constexpr std::size_t tail_bytes = 8000;
constexpr std::size_t max_answer_bytes = std::size_t{64} << 10U;

// Proxies, certificates and pip's settings decide where packages come from; they are the user's.
bool is_passed_on(std::string_view variable) {
  constexpr std::array<std::string_view, 10> names{
      "HOME=",        "http_proxy=", "https_proxy=",   "no_proxy=",           "HTTP_PROXY=",
      "HTTPS_PROXY=", "NO_PROXY=",   "SSL_CERT_FILE=", "REQUESTS_CA_BUNDLE=", "XDG_CONFIG_HOME="};
  return variable.starts_with("PIP_") || std::any_of(names.begin(), names.end(), [&](std::string_view name) {
           return variable.starts_with(name);
         });
}

std::size_t size_of(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error ? 0 : static_cast<std::size_t>(size);
}

// Of what was written behind the first `skipped` bytes: the few last lines, which is where tools say what
// went wrong, as one line: tables show it. Where one says that it is the error, nothing before it: pip warns
// of every attempt, a compiler stops long after its first.
std::string end_of_log(const std::string& path, std::size_t skipped) {
  constexpr std::size_t max_lines = 5;
  std::vector<std::string> lines;
  std::istringstream log(process::tail_of_file(path, std::min(tail_bytes, size_of(path) - skipped)));
  for (std::string line; std::getline(log, line);) {
    if (line.find_first_not_of(" \r\t") != std::string::npos) {
      lines.push_back(line);
    }
  }
  const auto is_error = [](const std::string& line) {
    return line.starts_with("ERROR") || line.find(" error: ") != std::string::npos;
  };
  const auto error = std::ranges::find_if(lines, is_error);
  if (error != lines.end()) {
    lines.erase(lines.begin(), error);
    lines.resize(std::min(lines.size(), max_lines));
  }
  const std::size_t first = lines.size() - std::min(lines.size(), max_lines);
  return fmt::format("{}", fmt::join(lines.begin() + static_cast<std::ptrdiff_t>(first), lines.end(), " | "));
}

}  // namespace

std::vector<std::string> tool_environment() {
  std::vector<std::string> environment{"PATH=/usr/local/bin:/usr/bin:/bin", "LANG=C.UTF-8"};
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (is_passed_on(*variable)) {
      environment.emplace_back(*variable);
    }
  }
  return environment;
}

tl::expected<void, std::string> run_tool(const ToolRun& run) {
  const std::size_t logged = size_of(run.log_path);  // by the tools before this one
  const auto status =
      process::run_command(run.argv, tool_environment(), run.folder, run.log_path, run.timeout);
  const std::string program = std::filesystem::path(run.argv.front()).filename().string();
  if (!status) {
    return tl::unexpected<std::string>(fmt::format("{}: {}", program, status.error()));
  }
  if (status->signalled || status->code != 0) {
    return tl::unexpected<std::string>(fmt::format("{} ended with {}: {}", program, process::to_text(*status),
                                                   end_of_log(run.log_path, logged)));
  }
  return {};
}

tl::expected<std::string, std::string> capture(const std::vector<std::string>& argv) {
  const process::Fd memory(memfd_create("answer", MFD_CLOEXEC));
  DLBENCH_ASSERT(memory.valid(), "memfd_create for a command's answer");
  // The file has no name but this one, so nothing is left behind whatever happens.
  const std::string path = fmt::format("/proc/{}/fd/{}", getpid(), memory.get());
  const auto status = process::run_command(argv, tool_environment(), "/", path, std::chrono::seconds(60));
  if (!status) {
    return tl::unexpected<std::string>(status.error());
  }
  std::string answer(max_answer_bytes, '\0');
  const ssize_t count = pread(memory.get(), answer.data(), answer.size(), 0);
  answer.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  while (!answer.empty() && answer.back() == '\n') {
    answer.pop_back();
  }
  if (status->signalled || status->code != 0) {
    return tl::unexpected<std::string>(fmt::format("{}: {}", process::to_text(*status), answer));
  }
  return answer;
}

}  // namespace dlbench::frameworks
