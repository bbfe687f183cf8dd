// The conversation with one runner process: spawn, arena, commands, and what its death means. No policy.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "process/process.hpp"
#include "protocol/arena.hpp"

namespace dlbench::session {

// How a command or the whole process failed. `outcome` is a name of record::OutcomeKind ("CRASH", "PROTOCOL",
// …).
struct Failure {
  std::string outcome;
  std::string reason;
  bool fatal = true;  // false: the runner refused one command and waits for the next
};
template <class T>
using Expected = tl::expected<T, Failure>;

struct Description {
  std::string runner, language, framework, version, build, input;
  std::vector<std::string> ops, optimizers, devices, precisions, deviations;
  std::string json;  // as received
};

struct Setting {
  std::string name, value, source;
};

struct LoadRequest {
  std::string graph_json;
  std::string recipe_json;
  std::string mode = "train";
  std::string device = "cpu";
  std::string precision = "fp32";
  int threads = 1;
  std::int64_t batch = 0;
  std::int64_t partial = 0;
  std::vector<std::pair<std::string, std::string>> knobs;
};

struct LoadReply {
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> parameters;
  std::vector<std::int64_t> logits;
  std::int64_t build_ns = 0;
  std::vector<Setting> effective;
};

enum class Drain { ends, each };

struct ChunkReply {
  std::int64_t window_ns = 0;
  std::int64_t cpu_ns = 0;
  std::int64_t steps = 0;
  std::optional<double> last_loss;  // nullopt: not finite
};

struct Inspection {
  std::vector<Setting> effective;
  std::string libraries_json;
};

struct Timeouts {
  std::chrono::milliseconds start{120'000};
  std::chrono::milliseconds command{600'000};
  // A chunk is hung when completed_steps does not move for this long.
  std::chrono::milliseconds step{120'000};
  std::chrono::milliseconds quit{60'000};
};

// One runner. Every failure kills the whole process tree before it is returned (when fatal).
class Session {
 public:
  // `spec.socket_fd` and `spec.arena_fd` are filled in here. `keep_folder`: where arena and commands are
  // saved for replay ("" : nowhere).
  static Expected<std::unique_ptr<Session>> start(process::LaunchSpec spec, const protocol::ArenaPlan& plan,
                                                  const Timeouts& timeouts,
                                                  std::uint64_t arena_reserve_bytes = 0,
                                                  const std::string& keep_folder = {});
  ~Session();

  [[nodiscard]] const Description& description() const;
  [[nodiscard]] std::int64_t start_ns() const;  // spawn to description
  [[nodiscard]] int pid() const;
  [[nodiscard]] protocol::Arena& arena();

  Expected<LoadReply> load(const LoadRequest& request);
  Expected<void> put();
  Expected<void> get();  // fails with PROTOCOL when a parameter was not stored
  // `loss_every` 0: never inside. Checks that exactly n steps were recorded with sane clocks.
  Expected<ChunkReply> train(std::int64_t steps, Drain drain, std::int64_t loss_every = 0);
  Expected<ChunkReply> infer(std::int64_t steps, Drain drain, bool store);
  Expected<Inspection> inspect();
  // Waits for exit 0 in time; anything else is a failure (CRASH, TIMEOUT). Kills what is left either way.
  Expected<void> quit();
  // Called about ten times a second while a chunk runs, only when `set`; never during timed windows on shared
  // hosts.
  void on_progress(std::function<void(std::uint64_t completed_steps)> callback);

 private:
  struct Impl;
  explicit Session(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace dlbench::session
