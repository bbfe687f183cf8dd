#include "protocol/channel.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "base/error.hpp"

namespace dlbench::protocol {

namespace {

constexpr std::size_t read_bytes = std::size_t{64} << 10U;

tl::unexpected<FramingError> failure(FramingErrorKind kind, std::string text) {
  return tl::unexpected<FramingError>(FramingError{kind, std::move(text)});
}

tl::unexpected<FramingError> io_failure(std::string_view call) {
  return failure(FramingErrorKind::io, base::errno_message(call, "runner socket", errno));
}

// Rounded up, so that poll never returns just before the deadline only to be called again with 0.
int remaining_ms(Deadline deadline) {
  const auto now = std::chrono::steady_clock::now();
  if (deadline <= now) {
    return 0;
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - now).count();
  return static_cast<int>(std::min<std::int64_t>(left, std::numeric_limits<int>::max()));
}

// Waits until one of the descriptors is ready; false at the deadline.
tl::expected<bool, FramingError> wait_for(std::span<pollfd> descriptors, Deadline deadline) {
  while (true) {
    const int timeout_ms = remaining_ms(deadline);
    const int ready = poll(descriptors.data(), descriptors.size(), timeout_ms);
    if (ready > 0) {
      return true;
    }
    if (ready < 0 && errno != EINTR) {
      return io_failure("cannot poll");
    }
    if (ready == 0 && remaining_ms(deadline) == 0) {
      return false;
    }
  }
}

}  // namespace

Channel::Channel(int fd, std::size_t max_bytes) : fd_(fd), max_bytes_(max_bytes) {
  DLBENCH_ASSERT(fd >= 0, "a channel needs an open socket");
  const int flags = fcntl(fd, F_GETFL);
  DLBENCH_ASSERT(flags >= 0, "a channel needs an open socket");
  DLBENCH_ASSERT(fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0, "cannot make the runner socket non-blocking");
  DLBENCH_ASSERT(fcntl(fd, F_SETFD, FD_CLOEXEC) == 0, "cannot make the runner socket close-on-exec");
}

Channel::~Channel() {
  close(fd_);
}

tl::expected<void, FramingError> Channel::send(std::string_view line, Deadline deadline) {
  if (line.size() + 1 > max_bytes_) {
    return failure(FramingErrorKind::too_large,
                   fmt::format("a message of {} bytes exceeds the limit of {}", line.size() + 1, max_bytes_));
  }
  if (line.find('\n') != std::string_view::npos) {
    return failure(FramingErrorKind::too_large, "a message must be one line");
  }
  std::string message(line);
  message.push_back('\n');
  std::size_t sent = 0;
  while (sent < message.size()) {
    const ssize_t count = ::send(fd_, message.data() + sent, message.size() - sent, MSG_NOSIGNAL);
    if (count >= 0) {
      sent += static_cast<std::size_t>(count);
      continue;
    }
    if (errno == EPIPE || errno == ECONNRESET) {
      return failure(FramingErrorKind::closed, "the runner closed the connection before it took the command");
    }
    if (errno == EINTR) {
      continue;
    }
    if (errno != EAGAIN && errno != EWOULDBLOCK) {
      return io_failure("cannot send to");
    }
    std::array<pollfd, 1> descriptors{pollfd{fd_, POLLOUT, 0}};
    const auto ready = wait_for(descriptors, deadline);
    if (!ready) {
      return tl::unexpected<FramingError>(ready.error());
    }
    if (!*ready) {
      return failure(FramingErrorKind::timeout, "the runner did not take the command in time");
    }
  }
  return {};
}

std::optional<std::string> Channel::take_line() {
  const std::size_t end = buffer_.find('\n', searched_bytes_);
  if (end == std::string::npos) {
    searched_bytes_ = buffer_.size();
    return std::nullopt;
  }
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  searched_bytes_ = 0;
  return line;
}

tl::expected<bool, FramingError> Channel::fill() {
  std::array<char, read_bytes> chunk;
  // Stops at a full line or at the limit, so that a flood never grows the buffer beyond the limit and one
  // chunk.
  while (buffer_.size() <= max_bytes_ && buffer_.find('\n', searched_bytes_) == std::string::npos) {
    searched_bytes_ = buffer_.size();
    const ssize_t count = recv(fd_, chunk.data(), chunk.size(), 0);
    if (count == 0) {
      return true;
    }
    if (count > 0) {
      buffer_.append(chunk.data(), static_cast<std::size_t>(count));
      continue;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return false;
    }
    if (errno == ECONNRESET) {
      return true;
    }
    if (errno != EINTR) {
      return io_failure("cannot receive from");
    }
  }
  return false;
}

tl::expected<std::string, FramingError> Channel::receive(Deadline deadline, std::optional<int> pidfd) {
  bool died = false;
  while (true) {
    const auto closed = fill();
    if (!closed) {
      return tl::unexpected<FramingError>(closed.error());
    }
    auto line = take_line();
    if ((line ? line->size() + 1 : buffer_.size()) > max_bytes_) {
      return failure(FramingErrorKind::too_large,
                     fmt::format("the runner sent a message of more than {} bytes", max_bytes_));
    }
    if (line) {
      return std::move(*line);
    }
    if (*closed) {
      return failure(FramingErrorKind::closed, buffer_.empty()
                                                   ? "the runner closed the connection"
                                                   : "the runner closed the connection within a message");
    }
    if (died) {
      return failure(FramingErrorKind::died, "the runner ended without a reply");
    }
    // poll ignores a negative descriptor.
    std::array<pollfd, 2> descriptors{pollfd{fd_, POLLIN, 0}, pollfd{pidfd.value_or(-1), POLLIN, 0}};
    const auto ready = wait_for(descriptors, deadline);
    if (!ready) {
      return tl::unexpected<FramingError>(ready.error());
    }
    if (!*ready) {
      return failure(FramingErrorKind::timeout, "no reply in time");
    }
    died = descriptors[1].revents != 0;  // what it sent before is read once more
  }
}

}  // namespace dlbench::protocol
