#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>

#include "probes/kernel_text.hpp"
#include "probes/machine.hpp"

namespace dlbench::probes {
namespace {

std::string process_folder(const std::string& root, int pid) {
  return fmt::format("{}/proc/{}", root, pid);
}

// File names of BLAS and OpenMP runtimes, as distributions and as wheels (with a hash after the name) have
// them.
bool is_math_library(std::string_view name) {
  static constexpr std::array<std::string_view, 17> stems{"libopenblas",
                                                          "libblas",
                                                          "libcblas",
                                                          "libblis",
                                                          "libmkl_rt",
                                                          "libmkl_core",
                                                          "libmkl_intel_lp64",
                                                          "libmkl_gnu_thread",
                                                          "libmkl_intel_thread",
                                                          "libatlas",
                                                          "libtatlas",
                                                          "libsatlas",
                                                          "libarmpl",
                                                          "libnvpl_blas",
                                                          "libgomp",
                                                          "libiomp5",
                                                          "libomp"};
  for (const std::string_view stem : stems) {
    // After the stem no letter may follow ("libompi" is no OpenMP), but for OpenBLAS's many suffixes.
    if (name.substr(0, stem.size()) == stem && name.find(".so") != std::string_view::npos) {
      const char next = name.size() > stem.size() ? name[stem.size()] : '\0';
      if (next == '.' || next == '-' || next == '_' || (next >= '0' && next <= '9') ||
          stem == "libopenblas") {
        return true;
      }
    }
  }
  return false;
}

// First CPU of `allowed` that is not in `cpus`.
std::optional<int> first_outside(const std::vector<int>& allowed, const std::vector<int>& cpus) {
  for (const int cpu : allowed) {
    if (std::find(cpus.begin(), cpus.end(), cpu) == cpus.end()) {
      return cpu;
    }
  }
  return std::nullopt;
}

}  // namespace

ProcessMemory read_memory(int pid, const std::string& root) {
  const auto status = read_kernel_file(process_folder(root, pid) + "/status").value_or("");
  return {find_kib(status, "VmHWM"), find_kib(status, "VmRSS"), find_kib(status, "RssShmem")};
}

std::optional<std::uint64_t> process_ticks(int pid, const std::string& root) {
  const auto text = read_kernel_file(process_folder(root, pid) + "/stat").value_or("");
  // The command name is in parentheses and may contain some itself; state, field 3, follows the last one.
  const std::size_t close = text.rfind(')');
  if (close == std::string::npos) {
    return std::nullopt;
  }
  const auto words = split_words(std::string_view(text).substr(close + 1));
  if (words.size() < 13) {
    return std::nullopt;
  }
  const auto user = parse_count(words[11]);  // field 14
  const auto system = parse_count(words[12]);
  return user && system ? std::optional(*user + *system) : std::nullopt;
}

ThreadView read_threads(int pid, const std::vector<int>& cpus, const std::string& root) {
  ThreadView view;
  std::error_code gone;
  std::filesystem::directory_iterator threads(process_folder(root, pid) + "/task", gone);
  for (; !gone && threads != std::filesystem::directory_iterator(); threads.increment(gone)) {
    const auto status = read_kernel_file(threads->path().string() + "/status").value_or("");
    const auto text = find_value(status, "Cpus_allowed_list");
    const auto allowed = text ? parse_cpu_list(*text) : std::nullopt;
    if (!allowed) {
      continue;  // it ended while it was being read
    }
    ++view.thread_count;
    // No requested CPUs: nothing was asked for, so nothing can be outside.
    const auto outside = cpus.empty() ? std::nullopt : first_outside(*allowed, cpus);
    if (outside && view.inside) {
      view.inside = false;
      view.outside_detail =
          fmt::format("thread {} ({}) may run on CPU {}: {}", threads->path().filename().string(),
                      find_value(status, "Name").value_or("?"), *outside, *text);
    }
  }
  return view;
}

std::vector<std::string> mapped_math_libraries(int pid, const std::string& root) {
  constexpr std::string_view deleted = " (deleted)";
  std::set<std::string> paths;
  std::ifstream maps(process_folder(root, pid) + "/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t slash = line.find('/');
    if (slash == std::string::npos) {
      continue;
    }
    std::string path = line.substr(slash);
    if (path.size() > deleted.size() && path.substr(path.size() - deleted.size()) == deleted) {
      path.resize(path.size() - deleted.size());
    }
    if (is_math_library(std::string_view(path).substr(path.rfind('/') + 1))) {
      paths.insert(std::move(path));
    }
  }
  return {paths.begin(), paths.end()};
}

}  // namespace dlbench::probes
