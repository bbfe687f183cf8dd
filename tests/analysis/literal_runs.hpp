// Studies written down by hand: cases, one step time per block, certificates.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/analysis.hpp"

namespace dlbench::analysis::testing {

struct Literal {
  Family family;
  std::vector<record::Case> cases;
  std::vector<record::Run> runs;
  std::map<std::string, record::Certificate> certificates;

  explicit Literal(int blocks = 7) {
    family.base = "base";
    family.blocks = blocks;
  }

  // Framework name = case id; "reference" is the yardstick. The certificate passes.
  void add_case(const std::string& framework, int threads = 1) {
    record::Case one;
    one.id = framework;
    one.study_phase = "throughput";
    one.framework = framework;
    one.model = "lenet";
    one.dataset = "fashion-mnist";
    one.batch = 64;
    one.threads = threads;
    one.is_reference = framework == "reference";
    cases.push_back(one);
    certificates[framework] = certificate(framework, record::Verdict::pass);
  }

  static record::Certificate certificate(const std::string& key, record::Verdict verdict) {
    record::Certificate result;
    result.key = key;
    result.verdict = verdict;
    return result;
  }

  record::Run& add_run(const std::string& id, int block, double step_time_ns, int attempt = 0) {
    record::Run run;
    run.id =
        id + "-" + std::to_string(block) + "-" + std::to_string(attempt) + "-" + std::to_string(runs.size());
    run.case_id = id;
    run.block = block;
    run.attempt = attempt;
    run.certificate_key = id;
    run.metrics = {{"step_time_ns", step_time_ns}};
    runs.push_back(run);
    return runs.back();
  }

  record::Run& add_failure(const std::string& id, int block, record::OutcomeKind kind, int attempt = 0) {
    record::Run& run = add_run(id, block, 1.0, attempt);
    run.metrics.clear();
    run.outcome = {kind, "why"};
    return run;
  }

  void add_case_with_runs(const std::string& framework, const std::vector<double>& step_times_ns) {
    add_case(framework);
    for (std::size_t block = 0; block < step_times_ns.size(); ++block) {
      add_run(framework, static_cast<int>(block), step_times_ns[block]);
    }
  }

  void compare(const std::string& compared, const std::string& base = "base") {
    family.pairs.emplace_back(compared, base);
  }

  [[nodiscard]] Analysis analyse() const { return analysis::analyse(family, cases, runs, certificates); }
  [[nodiscard]] CaseSummary row(const std::string& id) const { return row_of(analyse(), id); }

  static CaseSummary row_of(const Analysis& analysis, const std::string& id) {
    for (const CaseSummary& summary : analysis.cases) {
      if (summary.measured_case.id == id) {
        return summary;
      }
    }
    return {};
  }
};

// Seven step times near 1000 ns whose pattern is the machine's: it is shared by all frameworks of a block.
inline const std::vector<double> base_times{1000, 1010, 990, 1030, 1005, 995, 1020};

inline std::vector<double> times(const std::vector<double>& values, const std::vector<double>& ratios) {
  std::vector<double> result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    result.push_back(values[i] * ratios[i % ratios.size()]);
  }
  return result;
}

}  // namespace dlbench::analysis::testing
