#include <unistd.h>

#include <utility>

#include "process/process.hpp"

namespace dlbench::process {

Fd& Fd::operator=(Fd&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = other.release();
  }
  return *this;
}

int Fd::release() {
  return std::exchange(fd_, -1);
}

void Fd::reset() {
  // close() is never retried: Linux frees the number even when it reports EINTR.
  if (fd_ >= 0) {
    ::close(release());
  }
}

}  // namespace dlbench::process
