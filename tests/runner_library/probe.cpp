#include "runner_library/probe.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <stdexcept>

namespace dlbench::test {

namespace {

std::string content_of(int fd) {
  std::string text;
  std::array<char, 4096> bytes{};
  off_t offset = 0;
  ssize_t count = 0;
  while ((count = pread(fd, bytes.data(), bytes.size(), offset)) > 0) {
    text.append(bytes.data(), static_cast<std::size_t>(count));
    offset += count;
  }
  return text;
}

// Far from 3 and 4, so that the dup2 actions never overwrite a source before it is used.
int far_copy(int fd) {
  return fcntl(fd, F_DUPFD_CLOEXEC, 100);
}

}  // namespace

Probe::Probe(int arena_fd, const ProbeOptions& options) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::runtime_error("socketpair");
  }
  errors_fd_ = memfd_create("errors", MFD_CLOEXEC);
  output_fd_ = memfd_create("output", MFD_CLOEXEC);
  const int far_socket = far_copy(ends[1]);
  const int far_arena = arena_fd >= 0 ? far_copy(arena_fd) : -1;
  const int far_errors = far_copy(errors_fd_);
  const int far_output = far_copy(output_fd_);
  close(ends[1]);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, far_errors, STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, far_output, STDOUT_FILENO);
  if (options.has_socket) {
    posix_spawn_file_actions_adddup2(&actions, far_socket, DLB_SOCKET_FD);
  }
  if (far_arena >= 0) {
    posix_spawn_file_actions_adddup2(&actions, far_arena, DLB_ARENA_FD);
  }
  std::string program = DLBENCH_PROBE;
  std::string abi = options.abi;
  std::string replay = "DLBENCH_REPLAY=" + options.replay;
  std::array<char*, 3> arguments{program.data(), abi.empty() ? nullptr : abi.data(), nullptr};
  std::array<char*, 2> environment{options.replay.empty() ? nullptr : replay.data(), nullptr};
  const int error =
      posix_spawn(&pid_, program.c_str(), &actions, nullptr, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  for (const int fd : {far_socket, far_arena, far_errors, far_output}) {
    if (fd >= 0) {
      close(fd);
    }
  }
  if (error != 0) {
    throw std::runtime_error("posix_spawn");
  }
  socket_ = ends[0];
  channel_ = std::make_unique<protocol::Channel>(socket_);
}

Probe::~Probe() {
  channel_ = nullptr;
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close(errors_fd_);
  close(output_fd_);
}

std::string Probe::receive() {
  auto line = channel_->receive(std::chrono::steady_clock::now() + std::chrono::seconds(60));
  return line ? *line : "<closed>";
}

std::string Probe::ask(const std::string& command) {
  send_raw(command + "\n");
  return receive();
}

void Probe::send_raw(const std::string& bytes) const {
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t count = send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno != EAGAIN && errno != EINTR) {
      return;  // the probe went away: the test sees it by its exit code
    }
    sent += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
}

void Probe::hang_up() {
  channel_ = nullptr;
}

int Probe::wait() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

std::string Probe::errors() const {
  return content_of(errors_fd_);
}

std::string Probe::standard_output() const {
  return content_of(output_fd_);
}

}  // namespace dlbench::test
