// What the tests of processes share: temporary folders, tokens, a look at who is running.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "process/proc_scan.hpp"
#include "process/process.hpp"

namespace dlbench::process::testing {

inline std::string unique_token(const std::string& name) {
  static int count = 0;
  return fmt::format("test-{}-{}-{}", name, ::getpid(), ++count);
}

class TemporaryFolder {
 public:
  TemporaryFolder() : path_(std::filesystem::temp_directory_path() / unique_token("folder")) {
    std::filesystem::create_directories(path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Living processes that carry the token.
inline std::vector<int> carriers(const std::string& token) {
  std::vector<int> pids;
  for (const ProcessEntry& entry : list_processes()) {
    if (!entry.dead() && environment_of(entry.pid, "DLBENCH_RUN") == token) {
      pids.push_back(entry.pid);
    }
  }
  return pids;
}

// True as soon as `condition` holds; gives up after a time that only a broken program needs.
inline bool eventually(const std::function<bool()>& condition) {
  for (int i = 0; i < 3000; ++i) {
    if (condition()) {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

inline std::string launcher() {
  return std::string(DLBENCH_BINARY_DIR) + "/bin/dlbench-launch";
}

}  // namespace dlbench::process::testing
