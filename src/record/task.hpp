// What a framework is asked to do with a network.
#pragma once

#include <optional>
#include <string_view>

namespace dlbench::record {

enum class Task {
  training,   // steps: forward, loss, backward, update
  inference,  // forward in evaluation mode, to the logits
};

[[nodiscard]] constexpr std::string_view to_text(Task task) {
  return task == Task::training ? "training" : "inference";
}

[[nodiscard]] constexpr std::optional<Task> task_from_text(std::string_view text) {
  if (text == to_text(Task::training)) {
    return Task::training;
  }
  return text == to_text(Task::inference) ? std::optional(Task::inference) : std::nullopt;
}

}  // namespace dlbench::record
