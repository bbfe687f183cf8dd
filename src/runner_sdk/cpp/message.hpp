// Internal: commands and replies as JSON; see docs/formats/protocol.md.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>

#include "runner_sdk/cpp/serve.hpp"
#include "runner_sdk/cpp/session.hpp"

namespace dlbench::sdk {

using Json = nlohmann::json;

// The host said something that the protocol does not allow here.
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Command {
  std::int64_t id = 0;
  std::string name;
  Json fields;
};

// A chunk of `train` or `infer`.
struct Chunk {
  std::uint64_t steps = 0;
  bool drain_each = false;
  std::uint64_t loss_every = 0;  // 0: never inside
  bool store = false;
};

// These throw ProtocolError naming the missing or mistyped field.
[[nodiscard]] Command parse_command(const char* text, std::size_t bytes);
[[nodiscard]] Load parse_load(const Json& fields);
[[nodiscard]] Chunk parse_train(const Json& fields);
[[nodiscard]] Chunk parse_infer(const Json& fields);

[[nodiscard]] std::string to_text(const Description& description);
[[nodiscard]] Json to_json(const std::vector<Setting>& settings);
// Parameters, logits, build time and settings of a finished load.
[[nodiscard]] Json load_reply(const model::Graph& graph, std::int64_t build_ns,
                              const std::vector<Setting>& effective);

}  // namespace dlbench::sdk
