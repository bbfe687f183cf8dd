#include "frameworks/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <utility>

#include "base/error.hpp"

namespace dlbench::frameworks {
namespace {

process::Fd open_lock(const std::string& path, int access) {
  process::Fd fd(open(path.c_str(), access | O_CLOEXEC, 0644));
  if (!fd.valid() && (errno != ENOENT || (access & O_CREAT) != 0)) {
    throw base::UserError(base::errno_message("cannot open", path, errno), path,
                          "is the cache folder writable?");
  }
  return fd;
}

[[noreturn]] void fail(const std::string& path) {
  throw base::UserError(base::errno_message("cannot lock", path, errno), path);
}

}  // namespace

FileLock::FileLock(const std::string& path, const std::function<void()>& on_wait)
    : fd_(open_lock(path, O_RDWR | O_CREAT)) {
  if (flock(fd_.get(), LOCK_EX | LOCK_NB) == 0) {
    return;
  }
  on_wait();
  while (flock(fd_.get(), LOCK_EX) != 0) {
    if (errno != EINTR) {
      fail(path);
    }
  }
}

std::optional<FileLock> FileLock::shared(const std::string& path) {
  process::Fd fd = open_lock(path, O_RDONLY);
  if (!fd.valid()) {
    fd = open_lock(path, O_RDWR | O_CREAT);
  }
  if (flock(fd.get(), LOCK_SH | LOCK_NB) == 0) {
    return FileLock(std::move(fd));
  }
  if (errno != EWOULDBLOCK) {
    fail(path);
  }
  return std::nullopt;
}

}  // namespace dlbench::frameworks
