// The gate's stored verdict on one (work, framework, configuration).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dlbench::record {

enum class Verdict { pass, pass_with_deviations, unverified, mismatch };

[[nodiscard]] std::string_view to_text(
    Verdict verdict);  // "PASS", "PASS with deviations", "UNVERIFIED", "MISMATCH"

// One compared quantity: the worst tensor of it.
struct Check {
  std::string experiment;  // "function", "steps.constant", …
  std::string quantity;    // "logits", "loss", "gradient", "delta"
  std::string tensor;      // name of the worst tensor, in execution order
  double error = 0.0;      // scaled error of that tensor (gate.md)
  double limit = 0.0;
  bool passed = false;
};

// What would this fault have done to this work? Effect below 10 limits means it cannot be proved absent here.
struct FaultEffect {
  std::string fault;
  double effect_over_limit = 0.0;
  bool provable = false;
};

struct Certificate {
  std::string key;        // hash of the whole effective configuration
  std::string created;    // UTC
  std::string framework;  // name, version and build for people
  Verdict verdict = Verdict::unverified;
  std::string
      reason;  // for UNVERIFIED and MISMATCH: one sentence with the first differing tensor and both values
  std::string diagnosis;  // for MISMATCH: fault id and sentence, or "unknown"
  std::vector<std::string> deviations;
  std::vector<std::string> notes;  // "nondeterministic", "timed batch not verified", …
  std::vector<Check> checks;
  std::vector<FaultEffect> faults;
  std::int64_t certified_steps = 0;  // k
};

[[nodiscard]] std::string to_json(const Certificate& certificate);
// Throws base::UserError on malformed text (a damaged cache file is the caller's cache miss).
[[nodiscard]] Certificate certificate_from_json(std::string_view text);

}  // namespace dlbench::record
