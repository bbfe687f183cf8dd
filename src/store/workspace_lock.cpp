#include "store/workspace_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace dlbench::store {
namespace {

// Digits only: the file's content is shown to the user and anybody may have written it.
std::string read_holder(int fd) {
  std::array<char, 16> text{};
  const ssize_t got = ::pread(fd, text.data(), text.size(), 0);
  const std::string_view content(text.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  const std::string_view digits = content.substr(0, content.find_first_not_of("0123456789"));
  return digits.empty() ? "unknown" : std::string(digits);
}

}  // namespace

WorkspaceLock::WorkspaceLock(const std::string& workspace) {
  const std::string path = workspace + "/dlbench.lock";
  // CLOEXEC: a runner that inherits the descriptor would keep the workspace locked.
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (fd_ < 0) {
    throw base::UserError(base::errno_message("cannot open", path, errno), path);
  }
  if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    const std::string holder = read_holder(fd_);
    ::close(fd_);
    if (error != EWOULDBLOCK) {
      throw base::UserError(base::errno_message("cannot lock", path, error), path);
    }
    throw base::UserError(fmt::format("workspace {} is locked by pid {}", workspace, holder), path,
                          "wait until that dlbench has finished, or name another workspace");
  }
  const std::string pid = fmt::format("{}\n", ::getpid());
  // Only for the message above: a failure to write it loses nothing but the number.
  if (::ftruncate(fd_, 0) == 0) {
    static_cast<void>(::pwrite(fd_, pid.data(), pid.size(), 0) == 0);
  }
}

WorkspaceLock::~WorkspaceLock() {
  ::close(fd_);
}

}  // namespace dlbench::store
