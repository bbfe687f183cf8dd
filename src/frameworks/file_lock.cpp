#include "frameworks/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

#include "base/error.hpp"

namespace dlbench::frameworks {

FileLock::FileLock(const std::string& path, const std::function<void()>& on_wait)
    : fd_(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (!fd_.valid()) {
    throw base::UserError(base::errno_message("cannot open", path, errno), path,
                          "is the cache folder writable?");
  }
  if (flock(fd_.get(), LOCK_EX | LOCK_NB) == 0) {
    return;
  }
  on_wait();
  while (flock(fd_.get(), LOCK_EX) != 0) {
    if (errno != EINTR) {
      throw base::UserError(base::errno_message("cannot lock", path, errno), path);
    }
  }
}

}  // namespace dlbench::frameworks
