#include "session/death.hpp"

#include <fmt/format.h>

#include <array>
#include <csignal>
#include <fstream>
#include <string_view>

namespace dlbench::session {
namespace {

constexpr std::size_t last_words_bytes = 300;

// The number in the line "<key> <number>" of a kernel file.
std::optional<std::uint64_t> read_key(const std::string& path, std::string_view key) {
  std::ifstream file(path);
  std::string name;
  std::uint64_t value = 0;
  while (file >> name >> value) {
    if (name == key) {
      return value;
    }
  }
  return std::nullopt;
}

// Path of this process inside a cgroup hierarchy; `controller` empty: version 2. Lines are
// "id:controllers:path".
std::optional<std::string> cgroup_path(const std::string& root, std::string_view controller) {
  std::ifstream file(root + "proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second != std::string::npos && line.substr(first + 1, second - first - 1) == controller) {
      return line.substr(second + 1);
    }
  }
  return std::nullopt;
}

bool says_out_of_memory(std::string_view output) {
  static constexpr std::array<std::string_view, 3> signs{"std::bad_alloc", "MemoryError",
                                                         "not enough memory"};
  for (const std::string_view sign : signs) {
    if (output.find(sign) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

// The end of the output on one line.
std::string last_words(std::string_view output) {
  const std::size_t end = output.find_last_not_of(" \r\n\t");
  if (end == std::string_view::npos) {
    return {};
  }
  output = output.substr(0, end + 1);
  if (output.size() > last_words_bytes) {
    const std::size_t line = output.find('\n', output.size() - last_words_bytes);
    std::size_t from = line == std::string_view::npos ? output.size() - last_words_bytes : line + 1;
    while (from < output.size() && (static_cast<unsigned char>(output[from]) & 0xC0U) == 0x80U) {
      ++from;  // never begin inside a UTF-8 character
    }
    output.remove_prefix(from);
  }
  std::string words;
  for (const char c : output) {
    words += c == '\n' ? std::string(" | ") : std::string(1, c);
  }
  return words;
}

}  // namespace

std::optional<std::uint64_t> count_oom_kills(const std::string& root) {
  if (const auto path = cgroup_path(root, "")) {
    if (const auto count = read_key(root + "sys/fs/cgroup" + *path + "/memory.events", "oom_kill")) {
      return count;
    }
  }
  if (const auto path = cgroup_path(root, "memory")) {
    if (const auto count =
            read_key(root + "sys/fs/cgroup/memory" + *path + "/memory.oom_control", "oom_kill")) {
      return count;
    }
  }
  return read_key(root + "proc/vmstat", "oom_kill");
}

Failure classify(const Death& death) {
  std::string reason = fmt::format("{} during {}", process::to_text(death.status), death.during);
  if (const std::string words = last_words(death.output_tail); !words.empty()) {
    reason += fmt::format("; last output: {}", words);
  }
  const bool killed = death.status.signalled && death.status.code == SIGKILL;
  const bool failed = death.status.signalled || death.status.code != 0;
  if (killed && death.oom_killed) {
    return {"OOM", "killed by the kernel's out-of-memory killer: " + reason, true};
  }
  if (failed && says_out_of_memory(last_words(death.output_tail))) {
    return {"OOM", "an allocation failed: " + reason, true};
  }
  return {"CRASH", std::move(reason), true};
}

}  // namespace dlbench::session
