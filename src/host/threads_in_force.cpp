#include "host/threads_in_force.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "record/run.hpp"

namespace dlbench::host {

std::optional<std::string> thread_problem(const std::vector<session::Setting>& effective, int wanted) {
  const auto found = std::ranges::find(effective, "threads", &session::Setting::name);
  if (found == effective.end()) {
    return "the runner does not say how many threads are in force";
  }
  if (found->value != std::to_string(wanted)) {
    return fmt::format("{} asked for, {} in force", record::thread_text(wanted), found->value);
  }
  return std::nullopt;
}

}  // namespace dlbench::host
