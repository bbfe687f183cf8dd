// The runs of one case, by block, and which of them count. Internal to analysis.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analysis.hpp"

namespace dlbench::analysis {

using Certificates = std::map<std::string, record::Certificate>;

class CaseRuns {
 public:
  void add(const record::Run& run);

  // All of them, in the order of storage.
  [[nodiscard]] const std::vector<const record::Run*>& all() const { return all_; }
  [[nodiscard]] std::vector<int> blocks() const;
  // Attempts of one block, first to last.
  [[nodiscard]] const std::vector<const record::Run*>& attempts(int block) const;
  // The last attempt that is not INVALID, else the last one: one run per block.
  [[nodiscard]] std::vector<const record::Run*> counting() const;
  [[nodiscard]] int count(record::OutcomeKind kind) const;

 private:
  std::vector<const record::Run*> all_;
  std::map<int, std::vector<const record::Run*>> blocks_;
};

// What keeps a certificate out of a ranking, "" when nothing does.
[[nodiscard]] std::string certificate_obstacle(const Family& family, const record::Certificate& certificate);
// The worst certificate of these runs; of equally bad ones the newest run's.
[[nodiscard]] std::optional<record::Certificate> worst_certificate(const CaseRuns& runs,
                                                                   const Certificates& certificates);

enum class InvalidRuns { discard, keep };

// Whether this very run may be ranked: OK (or INVALID when those are kept), and its certificate passes.
[[nodiscard]] bool is_rankable(const Family& family, const record::Run& run, const Certificates& certificates,
                               InvalidRuns invalid);

// Values of `metric`, (first, second), one pair per block that has a rankable run of both. The runs of a pair
// come from the same attempt where one exists: the last that neither spoiled, or, when INVALID runs are kept,
// the first (as if nothing had been repeated).
[[nodiscard]] std::pair<std::vector<double>, std::vector<double>> paired_values(
    const Family& family, const std::string& metric, const CaseRuns& first, const CaseRuns& second,
    const Certificates& certificates, InvalidRuns invalid);

}  // namespace dlbench::analysis
