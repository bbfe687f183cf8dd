// The figures as one table for people and as JSON for programs.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "bench/host_cost.hpp"
#include "bench/loop_cost.hpp"
#include "bench/null_step.hpp"

namespace dlbench::bench {

// A figure, or the reason why there is none; `name` says what was asked for.
template <class T>
struct Row {
  std::string name;
  tl::expected<T, std::string> result;
};

struct Figures {
  std::string cpu_model;
  int cpus = 0;
  std::string begun;  // ISO 8601 UTC
  // The kernel's one-minute load at the start; what this program adds to it comes later.
  double load_before = 0.0;
  std::vector<Row<LoopCost>> loops;
  std::vector<Row<NullStep>> null_steps;
  std::vector<Row<HostCost>> hosts;
  std::vector<Row<StudyCost>> studies;
};

// Above this the machine had other work, and the figures say more about that than about dlbench.
inline constexpr double quiet_load = 1.0;

[[nodiscard]] std::string to_table(const Figures& figures);
[[nodiscard]] std::string to_json(const Figures& figures);

}  // namespace dlbench::bench
