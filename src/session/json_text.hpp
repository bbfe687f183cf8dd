// Commands as lines of JSON and replies back into structs; every field is checked (docs/formats/protocol.md).
// No I/O. Internal to this folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "session/session.hpp"

namespace dlbench::session {

[[nodiscard]] std::string load_command(std::int64_t id, const LoadRequest& request);
// put, get, inspect, quit
[[nodiscard]] std::string plain_command(std::int64_t id, const std::string& name);
[[nodiscard]] std::string train_command(std::int64_t id, std::int64_t steps, Drain drain,
                                        std::int64_t loss_every);
[[nodiscard]] std::string infer_command(std::int64_t id, std::int64_t steps, Drain drain, bool store);

// Each reader fails with PROTOCOL (fatal) when the line breaks the format, and with the runner's own outcome
// (not fatal) when the line is a well-formed refusal.
[[nodiscard]] Expected<Description> read_description(const std::string& line);
[[nodiscard]] Expected<LoadReply> read_load(std::int64_t id, const std::string& line);
[[nodiscard]] Expected<void> read_plain(std::int64_t id, const std::string& line);
[[nodiscard]] Expected<Inspection> read_inspection(std::int64_t id, const std::string& line);

struct StepsReply {
  std::int64_t steps = 0;
  std::optional<double> loss;
};
// `with_loss`: the reply must have the key `loss`, a number or null.
[[nodiscard]] Expected<StepsReply> read_steps(std::int64_t id, const std::string& line, bool with_loss);

}  // namespace dlbench::session
