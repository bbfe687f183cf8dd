#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>

#include "base/error.hpp"
#include "fuzz/target.hpp"
#include "protocol/channel.hpp"

namespace {

using namespace dlbench;

constexpr std::size_t limit_bytes = 4096;

// What a runner writes to its socket before it closes it; at most what a socket buffer holds without a
// reader.
void receive_all(const std::uint8_t* data, std::size_t size) {
  std::array<int, 2> ends{};
  DLBENCH_ASSERT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0, "socketpair");
  const ssize_t sent = size == 0 ? 0 : ::send(ends[1], data, size, MSG_DONTWAIT | MSG_NOSIGNAL);
  ::close(ends[1]);
  protocol::Channel channel(ends[0], limit_bytes);
  std::size_t received = 0;
  while (true) {
    const auto line = channel.receive(std::chrono::steady_clock::now() + std::chrono::seconds(5));
    if (!line) {
      DLBENCH_ASSERT(line.error().kind != protocol::FramingErrorKind::timeout, "the other end is closed");
      break;
    }
    DLBENCH_ASSERT(line->size() < limit_bytes && line->find('\n') == std::string::npos, "not one line");
    received += line->size() + 1;
  }
  DLBENCH_ASSERT(sent < 0 || received <= static_cast<std::size_t>(sent), "more came out than went in");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  receive_all(data, size);
  return 0;
}
