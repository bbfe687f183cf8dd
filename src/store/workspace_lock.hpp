// One writer per workspace. Internal to store.
#pragma once

#include <string>

namespace dlbench::store {

// Holds flock on <workspace>/dlbench.lock until destroyed; the kernel releases it when the process dies in
// any way, so a lock is never stale. The file stays and holds the pid of the last owner, for messages only.
class WorkspaceLock {
 public:
  // Throws base::UserError naming the holder's pid when another process (or another Store of this one) has
  // it.
  explicit WorkspaceLock(const std::string& workspace);
  ~WorkspaceLock();
  WorkspaceLock(const WorkspaceLock&) = delete;
  WorkspaceLock& operator=(const WorkspaceLock&) = delete;

 private:
  int fd_ = -1;
};

}  // namespace dlbench::store
