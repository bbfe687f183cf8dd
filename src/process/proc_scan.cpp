#include "process/proc_scan.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <memory>

#include "base/error.hpp"
#include "process/process.hpp"

namespace dlbench::process {
namespace {

// The kernel allows at most 6 MiB of arguments and environment (three quarters of its default stack limit).
constexpr std::size_t environment_max_bytes = 8U << 20U;
// Far longer than execve() keeps a process without an environment, unless it waits for the processor.
constexpr int exec_wait_ms = 1000;

std::optional<std::string> read_small(const std::string& path, std::size_t max_bytes) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) {
    return std::nullopt;
  }
  std::string text;
  std::array<char, 16384> buffer{};
  while (text.size() < max_bytes) {
    const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
    if (got < 0) {
      return std::nullopt;
    }
    if (got == 0) {
      break;
    }
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return text;
}

template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

std::string_view next_word(std::string_view& rest) {
  const std::size_t begin = std::min(rest.find_first_not_of(" \n"), rest.size());
  rest.remove_prefix(begin);
  const std::size_t end = std::min(rest.find_first_of(" \n"), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(end);
  return word;
}

// Fields `first` up to `end`, numbered as in proc(5).
void skip_words(std::string_view& rest, int first, int end) {
  for (int field = first; field < end; ++field) {
    (void)next_word(rest);
  }
}

// Of the kernel's include/linux/sched.h: PF_EXITING, PF_KTHREAD.
constexpr unsigned exiting_flag = 0x4;
constexpr unsigned kernel_thread_flag = 0x200000;

}  // namespace

std::optional<ProcessEntry> parse_stat(std::string_view text) {
  const std::size_t open = text.find(" (");
  const std::size_t close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return std::nullopt;
  }
  const auto pid = parse_number<int>(text.substr(0, open));
  std::string_view rest = text.substr(close + 1);
  const std::string_view state = next_word(rest);
  const auto parent = parse_number<int>(next_word(rest));
  (void)next_word(rest);  // process group
  const auto session = parse_number<int>(next_word(rest));
  skip_words(rest, 7, 9);
  const auto flags = parse_number<unsigned>(next_word(rest));
  skip_words(rest, 10, 20);
  const auto threads = parse_number<int>(next_word(rest));
  (void)next_word(rest);
  const auto start = parse_number<std::uint64_t>(next_word(rest));
  skip_words(rest, 23, 51);
  const auto environment_end = parse_number<std::uint64_t>(next_word(rest));
  if (!pid || state.size() != 1 || !parent || !session || !flags || !threads || !start || !environment_end) {
    return std::nullopt;
  }
  const bool has_program = (*flags & (exiting_flag | kernel_thread_flag)) == 0;
  return ProcessEntry{
      *pid, *parent, *session, state[0], *threads, *start, has_program && *environment_end == 0};
}

std::optional<ProcessEntry> read_process(int pid) {
  const auto text = read_small(fmt::format("/proc/{}/stat", pid), 4096);
  return text ? parse_stat(*text) : std::nullopt;
}

std::vector<ProcessEntry> list_processes() {
  std::vector<ProcessEntry> entries;
  const auto close_directory = [](DIR* directory) { ::closedir(directory); };
  const std::unique_ptr<DIR, decltype(close_directory)> proc(::opendir("/proc"), close_directory);
  DLBENCH_ASSERT(proc != nullptr, "dlbench needs /proc");
  const int self = ::getpid();
  while (const dirent* item =
             ::readdir(proc.get())) {  // NOLINT(concurrency-mt-unsafe): the stream is ours alone
    const auto pid = parse_number<int>(static_cast<const char*>(item->d_name));
    if (!pid || *pid == self) {
      continue;
    }
    if (const auto entry = read_process(*pid)) {
      entries.push_back(*entry);
    }
  }
  return entries;
}

std::optional<std::string> variable_in(std::string_view environment, std::string_view name) {
  for (std::size_t end = environment.find('\0'); end != std::string_view::npos;
       end = environment.find('\0')) {
    const std::string_view item = environment.substr(0, end);
    if (item.size() > name.size() && item.substr(0, name.size()) == name && item[name.size()] == '=') {
      return std::string(item.substr(name.size() + 1));
    }
    environment.remove_prefix(end + 1);
  }
  return std::nullopt;
}

std::optional<std::string> environment_of(int pid, std::string_view name) {
  const std::string folder = fmt::format("/proc/{}", pid);
  struct stat info = {};
  if (::stat(folder.c_str(), &info) != 0 || info.st_uid != ::geteuid()) {
    return std::nullopt;
  }
  for (int look = 0; look < exec_wait_ms; ++look) {
    const auto environment = read_small(folder + "/environ", environment_max_bytes);
    if (!environment) {
      return std::nullopt;
    }
    const bool whole = !environment->empty() && environment->back() == '\0';
    const auto entry = whole ? std::nullopt : read_process(pid);
    if (!entry || !entry->in_exec) {
      return variable_in(*environment, name);
    }
    ::usleep(1000);
  }
  return std::nullopt;
}

bool shares_pid_namespace(int pid) {
  struct stat mine = {};
  struct stat other = {};
  const std::string path = fmt::format("/proc/{}/ns/pid", pid);
  return ::stat("/proc/self/ns/pid", &mine) == 0 && ::stat(path.c_str(), &other) == 0 &&
         mine.st_ino == other.st_ino && mine.st_dev == other.st_dev;
}

std::string host_identity() {
  const auto self = read_process(::getpid());
  DLBENCH_ASSERT(self.has_value(), "own entry in /proc");
  return fmt::format("{}:{}", self->pid, self->start_ticks);
}

bool host_is_gone(std::string_view identity) {
  const std::size_t colon = identity.find(':');
  if (colon == std::string_view::npos) {
    return false;
  }
  const auto pid = parse_number<int>(identity.substr(0, colon));
  const auto start = parse_number<std::uint64_t>(identity.substr(colon + 1));
  if (!pid || *pid <= 0 || !start) {
    return false;
  }
  if (const auto entry = read_process(*pid)) {
    return entry->start_ticks != *start || entry->dead();
  }
  // Reading may fail for other reasons than that nobody is there.
  return ::kill(*pid, 0) != 0 && errno == ESRCH;
}

}  // namespace dlbench::process
