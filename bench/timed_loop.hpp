// A process that runs the same training step on request and says how long it took: the runner behind its
// session, or the program written by hand.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <tl/expected.hpp>

namespace dlbench::bench {

// Of the chunk that only says how long a step takes.
inline constexpr std::int64_t first_steps = 20;

struct Chunk {
  std::int64_t window_ns = 0;  // drained at both ends
  double loss = 0.0;           // of the last step's batch; finite
};

// The error of every function here is a sentence for people.
class TimedLoop {
 public:
  TimedLoop() = default;
  TimedLoop(const TimedLoop&) = delete;
  TimedLoop& operator=(const TimedLoop&) = delete;
  virtual ~TimedLoop() = default;  // ends the process

  virtual tl::expected<Chunk, std::string> run(std::int64_t steps) = 0;
  [[nodiscard]] virtual int pid() const = 0;
};

using StartedLoop = tl::expected<std::unique_ptr<TimedLoop>, std::string>;

}  // namespace dlbench::bench
