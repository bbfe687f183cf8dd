// One installer at a time, across processes.
#pragma once

#include <functional>
#include <string>

#include "process/process.hpp"

namespace dlbench::frameworks {

// Holds an exclusive flock on `path` (created when missing, never removed) until it is destroyed or the
// process ends.
class FileLock {
 public:
  // Waits as long as it takes; `on_wait` is called once if somebody else holds it. Throws base::UserError
  // when the file cannot be made.
  FileLock(const std::string& path, const std::function<void()>& on_wait);

 private:
  process::Fd fd_;
};

}  // namespace dlbench::frameworks
