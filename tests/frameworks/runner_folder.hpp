// A throw-away world for one test: runners/, sdk/ and cache/ below a temporary folder, with runners made on
// the spot.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "frameworks/frameworks.hpp"

namespace dlbench::test {

class RunnerWorld {
 public:
  RunnerWorld();
  ~RunnerWorld();
  RunnerWorld(const RunnerWorld&) = delete;
  RunnerWorld& operator=(const RunnerWorld&) = delete;

  [[nodiscard]] const frameworks::Places& places() const { return places_; }
  [[nodiscard]] std::filesystem::path root() const { return root_; }
  // Writes a file below the root, with its folders.
  void write(const std::string& relative, std::string_view content, bool is_executable = false) const;
  // A manifest with the keys that must be there and `more` lines after them.
  void write_manifest(const std::string& name, const std::string& more = {},
                      const std::string& start = {}) const;
  // A runner in Python that describes itself and serves `quit`; it needs no framework.
  void make_runner(const std::string& name, const std::string& more = {}) const;
  [[nodiscard]] frameworks::Manifest manifest(const std::string& name) const;

 private:
  std::filesystem::path root_;
  frameworks::Places places_;
};

}  // namespace dlbench::test
