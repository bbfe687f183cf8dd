// Starts the probe program with a socket and an arena as its descriptors 3 and 4, and talks to it.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "protocol/channel.hpp"

namespace dlbench::test {

struct ProbeOptions {
  std::string abi;     // passed as argument when not empty
  std::string replay;  // DLBENCH_REPLAY
  bool has_socket = true;
};

class Probe {
 public:
  // `arena_fd` -1: none.
  explicit Probe(int arena_fd, const ProbeOptions& options = {});
  ~Probe();
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  [[nodiscard]] std::string receive();  // "<closed>" when the probe went away
  [[nodiscard]] std::string ask(const std::string& command);
  void send_raw(const std::string& bytes) const;
  void hang_up();  // closes this end
  // Waits for its end; the exit code, or 1000 + signal.
  [[nodiscard]] int wait();
  [[nodiscard]] std::string errors() const;  // stderr
  [[nodiscard]] std::string standard_output() const;

 private:
  std::unique_ptr<protocol::Channel> channel_;
  int socket_ = -1;
  pid_t pid_ = -1;
  int errors_fd_ = -1;
  int output_fd_ = -1;
};

}  // namespace dlbench::test
