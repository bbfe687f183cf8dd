#include "analysis/case_runs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "record/deviation.hpp"

namespace dlbench::analysis {
namespace {

using record::OutcomeKind;
using Runs = std::vector<const record::Run*>;

bool is_invalid(const record::Run& run) {
  return run.outcome.kind == OutcomeKind::invalid;
}

int badness(record::Verdict verdict) {
  switch (verdict) {
    case record::Verdict::pass:
      return 0;
    case record::Verdict::pass_with_deviations:
      return 1;
    case record::Verdict::unverified:
      return 2;
    case record::Verdict::mismatch:
      return 3;
  }
  return 3;
}

// The candidates in the order of preference: the first that fits is taken.
Runs ordered(const Runs& attempts, InvalidRuns invalid) {
  Runs result = attempts;
  if (invalid == InvalidRuns::discard) {
    std::erase_if(result, [](const record::Run* run) { return is_invalid(*run); });
    std::reverse(result.begin(), result.end());
  }
  return result;
}

std::pair<const record::Run*, const record::Run*> choose(const Runs& first, const Runs& second) {
  for (const record::Run* a : first) {
    for (const record::Run* b : second) {
      if (a->attempt == b->attempt) {
        return {a, b};
      }
    }
  }
  return first.empty() || second.empty() ? std::pair<const record::Run*, const record::Run*>{nullptr, nullptr}
                                         : std::pair{first.front(), second.front()};
}

}  // namespace

void CaseRuns::add(const record::Run& run) {
  all_.push_back(&run);
  Runs& attempts = blocks_[run.block];
  const auto later =
      std::upper_bound(attempts.begin(), attempts.end(), &run,
                       [](const record::Run* a, const record::Run* b) { return a->attempt < b->attempt; });
  attempts.insert(later, &run);
}

std::vector<int> CaseRuns::blocks() const {
  std::vector<int> result;
  result.reserve(blocks_.size());
  for (const auto& [block, attempts] : blocks_) {
    result.push_back(block);
  }
  return result;
}

const Runs& CaseRuns::attempts(int block) const {
  static const Runs none;
  const auto found = blocks_.find(block);
  return found == blocks_.end() ? none : found->second;
}

Runs CaseRuns::counting() const {
  Runs result;
  for (const auto& [block, attempts] : blocks_) {
    const Runs valid = ordered(attempts, InvalidRuns::discard);
    result.push_back(valid.empty() ? attempts.back() : valid.front());
  }
  return result;
}

int CaseRuns::count(OutcomeKind kind) const {
  return static_cast<int>(std::count_if(
      all_.begin(), all_.end(), [kind](const record::Run* run) { return run->outcome.kind == kind; }));
}

std::string certificate_obstacle(const Family& family, const record::Certificate& certificate) {
  if (certificate.verdict == record::Verdict::mismatch ||
      certificate.verdict == record::Verdict::unverified) {
    return std::string(record::to_text(certificate.verdict));
  }
  for (const std::string& deviation : certificate.deviations) {
    const auto& accepted = family.accepted_deviations;
    const record::DeviationName* known = record::find_deviation_name(deviation);
    const bool is_same_training = known != nullptr && !known->is_other_formula;
    if (!is_same_training && std::find(accepted.begin(), accepted.end(), deviation) == accepted.end()) {
      return fmt::format("deviation {}", deviation);
    }
  }
  return {};
}

std::optional<record::Certificate> worst_certificate(const CaseRuns& runs, const Certificates& certificates) {
  const record::Certificate* worst = nullptr;
  for (const record::Run* run : runs.all()) {
    const auto found = certificates.find(run->certificate_key);
    if (found != certificates.end() &&
        (worst == nullptr || badness(found->second.verdict) >= badness(worst->verdict))) {
      worst = &found->second;
    }
  }
  return worst == nullptr ? std::nullopt : std::optional(*worst);
}

bool is_rankable(const Family& family, const record::Run& run, const Certificates& certificates,
                 InvalidRuns invalid) {
  const bool kept = invalid == InvalidRuns::keep && is_invalid(run);
  if (run.outcome.kind != OutcomeKind::ok && !kept) {
    return false;
  }
  const auto found = certificates.find(run.certificate_key);
  // A kept run only answers "what if it had counted?": it may lack what a counting run must have.
  return found == certificates.end() ? kept : certificate_obstacle(family, found->second).empty();
}

std::pair<std::vector<double>, std::vector<double>> paired_values(
    const Family& family, const std::string& metric, const CaseRuns& first, const CaseRuns& second,
    const Certificates& certificates, InvalidRuns invalid) {
  const auto usable = [&](const record::Run& run) {
    return is_rankable(family, run, certificates, invalid) &&
           record::metric_of(run, metric).value_or(0.0) > 0.0;
  };
  std::pair<std::vector<double>, std::vector<double>> result;
  for (const int block : first.blocks()) {
    Runs ours = ordered(first.attempts(block), invalid);
    Runs theirs = ordered(second.attempts(block), invalid);
    if (invalid == InvalidRuns::keep) {
      // An INVALID run without a value cannot be kept; the attempt that replaced it is the next best.
      std::erase_if(ours, [&](const record::Run* run) { return is_invalid(*run) && !usable(*run); });
      std::erase_if(theirs, [&](const record::Run* run) { return is_invalid(*run) && !usable(*run); });
    }
    const auto [a, b] = choose(ours, theirs);
    // Chosen before it is judged: a repeated block must not become a second chance for a run that crashed.
    if (a != nullptr && usable(*a) && usable(*b)) {
      result.first.push_back(*record::metric_of(*a, metric));
      result.second.push_back(*record::metric_of(*b, metric));
    }
  }
  return result;
}

}  // namespace dlbench::analysis
