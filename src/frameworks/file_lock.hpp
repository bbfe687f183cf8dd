// Who may change an environment, or only use it, across processes.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "process/process.hpp"

namespace dlbench::frameworks {

// Holds a flock on `path` (created when missing, never removed) until it is destroyed or the process ends.
class FileLock {
 public:
  // Alone. Waits as long as it takes; `on_wait` is called once if somebody else holds it. Throws
  // base::UserError when the file cannot be made.
  FileLock(const std::string& path, const std::function<void()>& on_wait);

  // Together with others that share it; nullopt: somebody holds it alone. Needs no right to write a file that
  // is there. Throws base::UserError as above.
  [[nodiscard]] static std::optional<FileLock> shared(const std::string& path);

 private:
  explicit FileLock(process::Fd fd) : fd_(std::move(fd)) {}

  process::Fd fd_;
};

}  // namespace dlbench::frameworks
