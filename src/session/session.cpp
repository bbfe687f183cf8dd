#include "session/session.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "session/chunk.hpp"
#include "session/conversation.hpp"
#include "session/death.hpp"
#include "session/failure.hpp"
#include "session/json_text.hpp"
#include "session/replay.hpp"

namespace dlbench::session {
namespace {

// The part of the arena's header that only the host writes.
constexpr std::size_t host_header_bytes = offsetof(dlb_arena_header, window_begin_ns);
using HostHeader = std::array<std::byte, host_header_bytes>;

HostHeader copy_host_header(const protocol::Arena& arena) {
  HostHeader copy{};
  std::memcpy(copy.data(), arena.raw().data(), copy.size());
  return copy;
}

struct SocketPair {
  process::Fd host;
  process::Fd runner;
};

Expected<SocketPair> make_sockets() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return tl::unexpected<Failure>(
        Failure{"CRASH", base::errno_message("cannot start: socketpair", "runner", errno), true});
  }
  return SocketPair{process::Fd(ends[0]), process::Fd(ends[1])};
}

}  // namespace

struct Session::Impl {
  Impl(const protocol::ArenaPlan& plan, std::uint64_t reserve_bytes, const Timeouts& limits,
       const std::string& keep_folder)
      : arena(plan, reserve_bytes), timeouts(limits), replay(keep_folder) {}

  Expected<void> begin(process::LaunchSpec spec);
  // Sends `line` as command `last_id` and returns the raw reply.
  Expected<std::string> exchange(const std::string& line, const Patience& patience);
  // Ends the session when a reply cannot be used any further; refusals pass through.
  template <class T>
  Expected<T> settle(Expected<T> result) {
    if (!result && result.error().fatal) {
      return tl::unexpected<Failure>(conversation->end(std::move(result.error())));
    }
    return result;
  }
  Expected<void> plain(const std::string& name);
  Expected<ChunkReply> chunk(const std::string& name, const std::string& line, std::int64_t steps);
  [[nodiscard]] Patience command(const std::string& name) const {
    return {name, timeouts.command, std::nullopt};
  }

  protocol::Arena arena;  // outlives the conversation, which reads it
  Timeouts timeouts;
  ReplayFolder replay;
  std::optional<Conversation> conversation;
  Description description;
  std::int64_t start_ns = 0;
  std::int64_t last_id = 0;
  HostWindow host_window;  // of the last exchange
};

Expected<void> Session::Impl::begin(process::LaunchSpec spec) {
  auto sockets = make_sockets();
  if (!sockets) {
    return tl::unexpected<Failure>(sockets.error());
  }
  spec.socket_fd = sockets->runner.get();
  spec.arena_fd = arena.fd();
  const auto oom_kills = count_oom_kills();
  auto child = process::launch(spec);
  sockets->runner.reset();
  if (!child) {
    return tl::unexpected<Failure>(Failure{"CRASH", "cannot start: " + child.error(), true});
  }
  const std::int64_t spawn_ns = (*child)->spawn_ns();
  conversation.emplace(std::move(*child), sockets->host.release(), arena, spec, oom_kills);
  const auto line = conversation->receive({"start", timeouts.start, std::nullopt}, spawn_ns);
  start_ns = base::monotonic_ns() - spawn_ns;
  if (!line) {
    return tl::unexpected<Failure>(line.error());
  }
  auto parsed = settle(read_description(*line));
  if (!parsed) {
    return tl::unexpected<Failure>(parsed.error());
  }
  description = std::move(*parsed);
  return {};
}

Expected<std::string> Session::Impl::exchange(const std::string& line, const Patience& patience) {
  if (conversation->ended()) {
    return tl::unexpected<Failure>(*conversation->ended());
  }
  replay.add_command(line);
  const HostHeader before = copy_host_header(arena);
  host_window.sent_ns = base::monotonic_ns();
  if (const auto sent = conversation->send(line, patience); !sent) {
    return tl::unexpected<Failure>(sent.error());
  }
  auto reply = conversation->receive(patience, host_window.sent_ns);
  host_window.received_ns = base::monotonic_ns();
  if (reply && copy_host_header(arena) != before) {
    return settle(Expected<std::string>(broke_protocol("the runner wrote over the header of the arena")));
  }
  return reply;
}

Expected<void> Session::Impl::plain(const std::string& name) {
  const auto line = exchange(plain_command(++last_id, name), command(name));
  return line ? settle(read_plain(last_id, *line)) : tl::unexpected<Failure>(line.error());
}

Expected<ChunkReply> Session::Impl::chunk(const std::string& name, const std::string& text,
                                          std::int64_t steps) {
  DLBENCH_ASSERT(steps > 0 && static_cast<std::uint64_t>(steps) <= arena.rates().size(), "length of a chunk");
  replay.save_arena(arena.raw());
  const auto line = exchange(text, {name, std::nullopt, timeouts.step});
  if (!line) {
    return tl::unexpected<Failure>(line.error());
  }
  const auto reply = settle(read_steps(last_id, *line, name == "train"));
  if (!reply) {
    return tl::unexpected<Failure>(reply.error());
  }
  if (reply->steps != steps) {
    return settle(Expected<ChunkReply>(
        broke_protocol(fmt::format("{} of {} steps replied {}", name, steps, reply->steps))));
  }
  auto checked = settle(check_chunk(arena, steps, host_window));
  if (checked) {
    checked->last_loss = reply->loss;
  }
  return checked;
}

Session::Session(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Session::~Session() = default;

Expected<std::unique_ptr<Session>> Session::start(process::LaunchSpec spec, const protocol::ArenaPlan& plan,
                                                  const Timeouts& timeouts, std::uint64_t arena_reserve_bytes,
                                                  const std::string& keep_folder) {
  auto impl = std::make_unique<Impl>(plan, arena_reserve_bytes, timeouts, keep_folder);
  if (const auto begun = impl->begin(std::move(spec)); !begun) {
    return tl::unexpected<Failure>(begun.error());
  }
  return std::unique_ptr<Session>(new Session(std::move(impl)));
}

const Description& Session::description() const {
  return impl_->description;
}
std::int64_t Session::start_ns() const {
  return impl_->start_ns;
}
int Session::pid() const {
  return impl_->conversation->child().pid();
}
protocol::Arena& Session::arena() {
  return impl_->arena;
}

void Session::on_progress(std::function<void(std::uint64_t)> callback) {
  impl_->conversation->on_progress(std::move(callback));
}

Expected<LoadReply> Session::load(const LoadRequest& request) {
  const auto line = impl_->exchange(load_command(++impl_->last_id, request), impl_->command("load"));
  return line ? impl_->settle(read_load(impl_->last_id, *line)) : tl::unexpected<Failure>(line.error());
}

Expected<void> Session::put() {
  impl_->replay.save_arena(impl_->arena.raw());
  return impl_->plain("put");
}

Expected<void> Session::get() {
  impl_->arena.clear_written();
  if (auto done = impl_->plain("get"); !done) {
    return done;
  }
  if (const std::string name = unwritten_parameter(impl_->arena); !name.empty()) {
    return impl_->settle(
        Expected<void>(broke_protocol(fmt::format("get did not store parameter '{}'", name))));
  }
  return {};
}

Expected<ChunkReply> Session::train(std::int64_t steps, Drain drain, std::int64_t loss_every) {
  return impl_->chunk("train", train_command(++impl_->last_id, steps, drain, loss_every), steps);
}

Expected<ChunkReply> Session::infer(std::int64_t steps, Drain drain, bool store) {
  return impl_->chunk("infer", infer_command(++impl_->last_id, steps, drain, store), steps);
}

Expected<Inspection> Session::inspect() {
  const auto line = impl_->exchange(plain_command(++impl_->last_id, "inspect"), impl_->command("inspect"));
  return line ? impl_->settle(read_inspection(impl_->last_id, *line)) : tl::unexpected<Failure>(line.error());
}

Expected<void> Session::quit() {
  const Patience patience{"quit", impl_->timeouts.quit, std::nullopt};
  const auto line = impl_->exchange(plain_command(++impl_->last_id, "quit"), patience);
  if (!line) {
    return tl::unexpected<Failure>(line.error());
  }
  if (auto reply = impl_->settle(read_plain(impl_->last_id, *line)); !reply) {
    return tl::unexpected<Failure>(impl_->conversation->end(std::move(reply.error())));
  }
  return impl_->conversation->wait_exit(patience, impl_->host_window.sent_ns);
}

}  // namespace dlbench::session
