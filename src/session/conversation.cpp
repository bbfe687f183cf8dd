#include "session/conversation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "session/death.hpp"

namespace dlbench::session {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds short_slice{100};
// While a chunk runs the host shares the machine with it and should wake rarely.
constexpr milliseconds chunk_slice{1000};
// A process that closed its socket is usually about to die; its status says more than the closing.
constexpr milliseconds death_grace{2000};
constexpr std::size_t tail_bytes = 4096;

protocol::Deadline after(milliseconds duration) {
  return std::chrono::steady_clock::now() + duration;
}

std::int64_t to_ns(milliseconds duration) {
  return std::chrono::nanoseconds(duration).count();
}

std::string seconds(milliseconds duration) {
  return fmt::format("{:g} s", std::chrono::duration<double>(duration).count());
}

}  // namespace

// Deadlines of one wait, and how far the steps were when it last looked.
struct Conversation::Watch {
  std::int64_t since_ns = 0;
  std::uint64_t steps = 0;
  std::int64_t moved_ns = 0;
};

Conversation::Conversation(std::unique_ptr<process::Child> child, int socket, const protocol::Arena& arena,
                           const process::LaunchSpec& spec, std::optional<std::uint64_t> oom_kills_before)
    : child_(std::move(child)),
      channel_(socket),
      arena_(arena),
      output_path_(spec.output_path),
      output_max_bytes_(spec.output_max_bytes),
      oom_kills_before_(oom_kills_before) {}

Failure Conversation::end(Failure failure) {
  (void)child_->kill_tree();
  if (!ended_) {
    ended_ = failure;
  }
  return failure;
}

std::string Conversation::place(const Patience& patience) const {
  return patience.step ? fmt::format("{} after {} steps", patience.what, arena_.completed_steps())
                       : patience.what;
}

Failure Conversation::explain_death(const process::ExitStatus& status, const Patience& patience) const {
  const auto oom_kills = count_oom_kills();
  const bool oom_killed = oom_kills && oom_kills_before_ && *oom_kills > *oom_kills_before_;
  return classify({status, place(patience), process::tail_of_file(output_path_, tail_bytes), oom_killed});
}

Failure Conversation::explain(const protocol::FramingError& error, const Patience& patience) {
  using Kind = protocol::FramingErrorKind;
  if (error.kind == Kind::died || error.kind == Kind::closed) {
    const auto status = child_->wait(death_grace);
    if (child_->output_flooded()) {
      return {"PROTOCOL", fmt::format("stdout and stderr exceeded {} bytes", output_max_bytes_), true};
    }
    if (status) {
      return explain_death(*status, patience);
    }
  }
  return {"PROTOCOL", fmt::format("{} during {}", error.text, place(patience)), true};
}

std::optional<Failure> Conversation::find_trouble(Watch& watch, const Patience& patience) {
  if (child_->output_flooded()) {
    return Failure{
        "PROTOCOL",
        fmt::format("stdout and stderr exceeded {} bytes during {}", output_max_bytes_, place(patience)),
        true};
  }
  const std::int64_t now_ns = base::monotonic_ns();
  if (patience.limit && now_ns - watch.since_ns >= to_ns(*patience.limit)) {
    return Failure{"TIMEOUT",
                   fmt::format("no reply within {} during {}", seconds(*patience.limit), place(patience)),
                   true};
  }
  const std::uint64_t steps = arena_.completed_steps();
  if (steps != watch.steps) {
    watch.steps = steps;
    watch.moved_ns = now_ns;
  }
  if (patience.step && now_ns - watch.moved_ns >= to_ns(*patience.step)) {
    return Failure{
        "TIMEOUT",
        fmt::format("no step completed within {} during {}", seconds(*patience.step), place(patience)), true};
  }
  return std::nullopt;
}

Expected<std::string> Conversation::receive(const Patience& patience, std::int64_t since_ns) {
  Watch watch{since_ns, arena_.completed_steps(), base::monotonic_ns()};
  const bool reports = patience.step && on_progress_;
  milliseconds slice = patience.step && !reports ? chunk_slice : short_slice;
  // A limit shorter than a slice (in tests, or chosen by the user) is kept all the same.
  slice = std::min({slice, patience.step.value_or(slice), patience.limit.value_or(slice)});
  while (true) {
    auto line = channel_.receive(after(std::max(slice, milliseconds(1))), child_->pidfd());
    if (line) {
      return std::move(*line);
    }
    if (line.error().kind != protocol::FramingErrorKind::timeout) {
      return tl::unexpected<Failure>(end(explain(line.error(), patience)));
    }
    if (auto trouble = find_trouble(watch, patience)) {
      return tl::unexpected<Failure>(end(std::move(*trouble)));
    }
    if (reports) {
      on_progress_(watch.steps);
    }
  }
}

Expected<void> Conversation::send(const std::string& line, const Patience& patience) {
  const auto unasked = channel_.receive(after(milliseconds(0)), child_->pidfd());
  if (unasked) {
    return tl::unexpected<Failure>(end(
        {"PROTOCOL", fmt::format("a message arrived without a command, before {}", patience.what), true}));
  }
  if (unasked.error().kind != protocol::FramingErrorKind::timeout) {
    return tl::unexpected<Failure>(end(explain(unasked.error(), patience)));
  }
  const auto sent = channel_.send(line, after(patience.limit ? *patience.limit : *patience.step));
  if (sent) {
    return {};
  }
  if (sent.error().kind == protocol::FramingErrorKind::timeout) {
    const auto status = child_->wait(milliseconds(0));
    return tl::unexpected<Failure>(
        end(status ? explain_death(*status, patience) : Failure{"TIMEOUT", sent.error().text, true}));
  }
  return tl::unexpected<Failure>(end(explain(sent.error(), patience)));
}

Expected<void> Conversation::wait_exit(const Patience& patience, std::int64_t since_ns) {
  const std::int64_t left_ns = to_ns(*patience.limit) - (base::monotonic_ns() - since_ns);
  const auto status = child_->wait(milliseconds(std::max<std::int64_t>(left_ns / 1'000'000, 0)));
  if (!status) {
    return tl::unexpected<Failure>(
        end({"TIMEOUT", fmt::format("did not exit within {} of {}", seconds(*patience.limit), patience.what),
             true}));
  }
  if (child_->output_flooded()) {
    return tl::unexpected<Failure>(
        end({"PROTOCOL", fmt::format("stdout and stderr exceeded {} bytes", output_max_bytes_), true}));
  }
  if (status->signalled || status->code != 0) {
    return tl::unexpected<Failure>(end(explain_death(*status, patience)));
  }
  (void)end({"PROTOCOL", "the session has ended", true});
  return {};
}

}  // namespace dlbench::session
