#include "bench/hand_loop.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "base/error.hpp"
#include "bench/hand_reply.hpp"
#include "process/process.hpp"

namespace dlbench::bench {
namespace {

constexpr int reply_max_ms = 300'000;
constexpr std::size_t reply_max_bytes = 128;
constexpr std::size_t tail_bytes = 1024;

class HandLoop final : public TimedLoop {
 public:
  HandLoop(process::Fd socket, std::unique_ptr<process::Child> child, std::string output_path)
      : socket_(std::move(socket)), child_(std::move(child)), output_path_(std::move(output_path)) {}

  tl::expected<Chunk, std::string> run(std::int64_t steps) override {
    const std::string request = fmt::format("{}\n", steps);
    if (::send(socket_.get(), request.data(), request.size(), MSG_NOSIGNAL) !=
        static_cast<ssize_t>(request.size())) {
      return tl::unexpected(failure("does not take requests"));
    }
    return receive().and_then([this](const std::string& line) -> tl::expected<Chunk, std::string> {
      const auto chunk = parse_hand_reply(line);
      if (!chunk) {
        return tl::unexpected(failure("gave a reply that is none"));
      }
      return *chunk;
    });
  }

  [[nodiscard]] int pid() const override { return child_->pid(); }

 private:
  // The end of the process closes its end of the socket, so there is nothing else to watch.
  tl::expected<std::string, std::string> receive() {
    std::string line;
    std::array<char, reply_max_bytes> buffer{};
    while (line.empty() || line.back() != '\n') {
      pollfd waiting{socket_.get(), POLLIN, 0};
      const int ready = ::poll(&waiting, 1, reply_max_ms);
      if (ready < 0 && errno == EINTR) {
        continue;
      }
      if (ready <= 0) {
        return tl::unexpected(failure("does not answer"));
      }
      const ssize_t got = ::read(socket_.get(), buffer.data(), buffer.size());
      if (got <= 0) {
        return tl::unexpected(failure("ended"));
      }
      line.append(buffer.data(), static_cast<std::size_t>(got));
      if (line.size() > reply_max_bytes) {
        return tl::unexpected(failure("gave a reply that is none"));
      }
    }
    return line;
  }

  [[nodiscard]] std::string failure(const std::string& what) const {
    return fmt::format("the hand-written program {}; its output ends with: {}", what,
                       process::tail_of_file(output_path_, tail_bytes));
  }

  process::Fd socket_;
  std::unique_ptr<process::Child> child_;
  std::string output_path_;
};

}  // namespace

StartedLoop start_hand_loop(const Setup& setup, const host::Runner& runner,
                            const std::vector<std::string>& program, const std::string& batch_file,
                            const host::Launch& launch) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return tl::unexpected(base::errno_message("socketpair", "hand-written program", errno));
  }
  process::Fd here(ends[0]);
  const process::Fd there(ends[1]);
  process::LaunchSpec spec = host::launch_spec(runner, launch);
  spec.command = program;
  spec.command.insert(spec.command.end(),
                      {batch_file, std::to_string(setup.slots), std::to_string(launch.threads)});
  spec.socket_fd = there.get();
  auto child = process::launch(spec);
  if (!child) {
    return tl::unexpected(child.error());
  }
  return std::make_unique<HandLoop>(std::move(here), std::move(*child), spec.output_path);
}

}  // namespace dlbench::bench
