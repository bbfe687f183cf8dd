#include "dlbench/narrator.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <map>

namespace dlbench::app {
namespace {

std::string duration_text(double seconds) {
  const long whole = std::lround(seconds);
  return whole >= 60 ? fmt::format("{} min {:02d} s", whole / 60, whole % 60) : fmt::format("{} s", whole);
}

// The worst check of each quantity: the one nearest to (or farthest beyond) its limit.
std::map<std::string, const record::Check*> worst_checks(const record::Certificate& certificate) {
  std::map<std::string, const record::Check*> worst;
  for (const record::Check& check : certificate.checks) {
    const record::Check*& known = worst[check.quantity];
    if (known == nullptr || check.error * known->limit > known->error * check.limit) {
      known = &check;
    }
  }
  return worst;
}

// "libtorch 2.15.0": several versions may stand in one study.
std::string name_of(const record::Case& one) {
  return one.version.empty() ? one.framework : one.framework + " " + one.version;
}

}  // namespace

std::string verdict_text(const host::Verification& verification) {
  const record::Certificate& certificate = verification.certificate;
  std::string text(record::to_text(certificate.verdict));
  if (verification.outcome.kind != record::OutcomeKind::ok) {
    return record::to_text(verification.outcome);
  }
  for (const auto& [quantity, check] : worst_checks(certificate)) {
    text += fmt::format(", {} {:.1e} (limit {:.1e})", quantity, check->error, check->limit);
  }
  if (certificate.certified_steps > 0) {  // inference has none
    text += fmt::format(", {} steps", certificate.certified_steps);
  }
  for (const std::string& deviation : certificate.deviations) {
    text += ", deviation " + deviation;
  }
  if (verification.from_cache) {
    text += fmt::format(" [from {}]", certificate.created);
  }
  return text;
}

Narrator::Narrator() : terminal_(isatty(STDERR_FILENO) == 1) {}

void Narrator::clear_line() const {
  if (terminal_) {
    fmt::print(stderr, "\r\033[K");
  }
}

void Narrator::note(const std::string& sentence) {
  clear_line();
  fmt::print(stderr, "{}\n", sentence);
}

void Narrator::verified(const host::PlannedCase& planned, const host::Verification& verification) {
  clear_line();
  fmt::print(stderr, "gate  {:<24} {:<10}  {}\n", name_of(planned.measured_case),
             record::thread_text(planned.measured_case.threads), verdict_text(verification));
}

void Narrator::run_begins(const host::PlannedCase& planned, int block, std::size_t done, std::size_t total,
                          std::optional<double> seconds_left) {
  if (!terminal_) {
    return;
  }
  const std::string left = seconds_left ? ", about " + duration_text(*seconds_left) + " left" : std::string{};
  fmt::print(stderr, "\r\033[Krun {} of {}{}: block {}, {} at {}", done + 1, total, left, block + 1,
             name_of(planned.measured_case), record::thread_text(planned.measured_case.threads));
  std::fflush(stderr);
}

void Narrator::run_ended(const host::PlannedCase& planned, const record::Run& run) {
  const bool ok = run.outcome.kind == record::OutcomeKind::ok;
  any_ok_ = any_ok_ || ok;
  all_ok_ = all_ok_ && ok;
  clear_line();
  if (!ok || !terminal_) {
    const auto step_ns = record::metric_of(run, "step_time_ns");
    const std::string figure = step_ns ? fmt::format("{:.3f} ms/step  ", *step_ns * 1e-6) : "";
    fmt::print(stderr, "run   {:<24} {:<10}  block {}  {}{}\n", name_of(planned.measured_case),
               record::thread_text(planned.measured_case.threads), run.block + 1, figure,
               record::to_text(run.outcome));
  }
}

}  // namespace dlbench::app
