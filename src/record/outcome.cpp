#include "record/outcome.hpp"

#include <array>
#include <utility>

#include "base/error.hpp"

namespace dlbench::record {
namespace {

// Part of the store's format: names never change.
constexpr std::array<std::pair<OutcomeKind, std::string_view>, 13> outcome_names = {{
    {OutcomeKind::ok, "OK"},
    {OutcomeKind::mismatch, "MISMATCH"},
    {OutcomeKind::unverified, "UNVERIFIED"},
    {OutcomeKind::unsteady, "UNSTEADY"},
    {OutcomeKind::not_converged, "NOT_CONVERGED"},
    {OutcomeKind::nan, "NAN"},
    {OutcomeKind::oom, "OOM"},
    {OutcomeKind::timeout, "TIMEOUT"},
    {OutcomeKind::crash, "CRASH"},
    {OutcomeKind::protocol, "PROTOCOL"},
    {OutcomeKind::unsupported, "UNSUPPORTED"},
    {OutcomeKind::not_installed, "NOT_INSTALLED"},
    {OutcomeKind::invalid, "INVALID"},
}};

}  // namespace

std::string_view to_text(OutcomeKind kind) {
  for (const auto& [known, name] : outcome_names) {
    if (known == kind) {
      return name;
    }
  }
  base::fail_assertion("known outcome", __FILE__, __LINE__, std::to_string(static_cast<int>(kind)));
}

std::optional<OutcomeKind> outcome_from_text(std::string_view text) {
  for (const auto& [kind, name] : outcome_names) {
    if (name == text) {
      return kind;
    }
  }
  return std::nullopt;
}

std::string to_text(const Outcome& outcome) {
  std::string text(to_text(outcome.kind));
  if (!outcome.reason.empty()) {
    text.append("(").append(outcome.reason).append(")");
  }
  return text;
}

}  // namespace dlbench::record
