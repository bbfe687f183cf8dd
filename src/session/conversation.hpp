// One command and one reply at a time with a live process, and the classification of everything else.
// Internal.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "process/process.hpp"
#include "protocol/arena.hpp"
#include "protocol/channel.hpp"
#include "session/session.hpp"

namespace dlbench::session {

// How the host waits for one reply.
struct Patience {
  std::string what;  // "start", "load", … for reasons
  // Whole wait; nullopt: no limit but `step`.
  std::optional<std::chrono::milliseconds> limit;
  // Longest time without a new completed step; nullopt: steps are not watched.
  std::optional<std::chrono::milliseconds> step;
};

class Conversation {
 public:
  // The arena must outlive the conversation.
  Conversation(std::unique_ptr<process::Child> child, int socket, const protocol::Arena& arena,
               const process::LaunchSpec& spec, std::optional<std::uint64_t> oom_kills_before);

  // The next line of the runner. After any failure the process tree is gone.
  Expected<std::string> receive(const Patience& patience, std::int64_t since_ns);
  // Refuses to send while an unasked message is waiting.
  Expected<void> send(const std::string& line, const Patience& patience);
  // Waits for the process to end by itself with exit code 0.
  Expected<void> wait_exit(const Patience& patience, std::int64_t since_ns);
  // Kills everything; returns `failure` for the caller to pass on.
  Failure end(Failure failure);

  void on_progress(std::function<void(std::uint64_t)> callback) { on_progress_ = std::move(callback); }
  [[nodiscard]] const std::optional<Failure>& ended() const { return ended_; }
  [[nodiscard]] const process::Child& child() const { return *child_; }

 private:
  struct Watch;
  // What a failed read or write means, from the state of the process.
  Failure explain(const protocol::FramingError& error, const Patience& patience);
  [[nodiscard]] Failure explain_death(const process::ExitStatus& status, const Patience& patience) const;
  [[nodiscard]] std::optional<Failure> find_trouble(Watch& watch, const Patience& patience);
  [[nodiscard]] std::string place(const Patience& patience) const;

  std::unique_ptr<process::Child> child_;
  protocol::Channel channel_;
  const protocol::Arena& arena_;
  std::string output_path_;
  std::uint64_t output_max_bytes_;
  std::optional<std::uint64_t> oom_kills_before_;
  std::function<void(std::uint64_t)> on_progress_;
  std::optional<Failure> ended_;
};

}  // namespace dlbench::session
