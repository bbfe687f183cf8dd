// How a run ended. Each value is a row in every table, with a reason; none is ever dropped.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dlbench::record {

// Part of the store's format: names never change.
enum class OutcomeKind {
  ok,
  mismatch,
  unverified,
  unsteady,
  not_converged,
  nan,
  oom,
  timeout,
  crash,
  protocol,
  unsupported,
  not_installed,
  invalid
};

struct Outcome {
  OutcomeKind kind = OutcomeKind::ok;
  std::string reason;  // empty only for ok
};

[[nodiscard]] std::string_view to_text(OutcomeKind kind);  // "OK", "NOT_INSTALLED", …
[[nodiscard]] std::optional<OutcomeKind> outcome_from_text(std::string_view text);
// "CRASH(signal 11 SIGSEGV)" or "OK"
[[nodiscard]] std::string to_text(const Outcome& outcome);

}  // namespace dlbench::record
