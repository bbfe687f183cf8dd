// One end of the socket between host and runner: whole lines with a size limit and a deadline, nothing about
// JSON.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "protocol/dlb_arena.h"

namespace dlbench::protocol {

enum class FramingErrorKind {
  closed,     // the other side closed the connection (perhaps in the middle of a line)
  timeout,    // the deadline passed first
  too_large,  // a line of more than the limit, or one with an embedded newline to be sent
  died,       // the watched process ended and no complete line was left in the socket
  io,         // poll, send or recv failed
};

struct FramingError {
  FramingErrorKind kind = FramingErrorKind::io;
  std::string text;  // a sentence for people
};

using Deadline = std::chrono::steady_clock::time_point;

// Owns the socket and closes it. One thread at a time. After any error but `timeout` on receive the channel
// is useless: where the next line starts is not known any more.
class Channel {
 public:
  // `fd`: a connected stream socket; made non-blocking and close-on-exec. `max_bytes` counts the newline too.
  explicit Channel(int fd, std::size_t max_bytes = DLB_MESSAGE_MAX_BYTES);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  // Sends `line` and a newline. Never raises SIGPIPE.
  [[nodiscard]] tl::expected<void, FramingError> send(std::string_view line, Deadline deadline);
  // The next line without its newline. `pidfd`: readable when the other side has died; a line that it managed
  // to send before is still returned. May be called again after `timeout`: what arrived so far is kept.
  [[nodiscard]] tl::expected<std::string, FramingError> receive(Deadline deadline,
                                                                std::optional<int> pidfd = std::nullopt);

 private:
  [[nodiscard]] std::optional<std::string> take_line();
  // Reads what is there without waiting; true when the other side has closed.
  [[nodiscard]] tl::expected<bool, FramingError> fill();

  int fd_;
  std::size_t max_bytes_;
  std::string buffer_;
  std::size_t searched_bytes_ = 0;  // of buffer_, known to hold no newline
};

}  // namespace dlbench::protocol
