// One line per case, RFC 4180: CRLF line ends, a header line, empty fields for what is absent.
#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "record/metrics.hpp"
#include "report/escape.hpp"
#include "report/report.hpp"

namespace dlbench::report {
namespace {

class Line {
 public:
  void text(std::string_view value) { field(escape_csv_text(value)); }
  void integer(std::int64_t value) { field(fmt::format("{}", value)); }
  void real(std::optional<double> value) {
    field(value && std::isfinite(*value) ? fmt::format("{}", *value) : std::string());
  }
  [[nodiscard]] std::string finish() const { return line_ + "\r\n"; }

 private:
  void field(const std::string& value) {
    line_ += (is_first_ ? "" : ",") + value;
    is_first_ = false;
  }
  std::string line_;
  bool is_first_ = true;
};

// The unit is part of the name: most ids end in it, the others get it here.
std::string column_name(const record::MetricInfo& metric) {
  const bool bare = metric.unit == "ratio" || metric.unit == "nat";
  return bare && !metric.id.ends_with(metric.unit) ? metric.id + "_" + metric.unit : metric.id;
}

std::string header() {
  Line line;
  for (const char* name : {"case_id",
                           "study_phase",
                           "framework",
                           "version",
                           "model",
                           "dataset",
                           "batch",
                           "threads",
                           "is_reference",
                           "is_base",
                           "outcome",
                           "outcome_reason",
                           "ok_run_count",
                           "invalid_run_count",
                           "gate_verdict",
                           "certificate_key",
                           "verdict",
                           "step_time_to_base_ratio",
                           "step_time_to_base_low_ratio",
                           "step_time_to_base_high_ratio",
                           "interval_level_ratio",
                           "holm_p_ratio",
                           "share_of_reference_ratio"}) {
    line.text(name);
  }
  for (const record::MetricInfo& metric : record::metric_catalogue()) {
    const std::string name = column_name(metric);
    line.text(name);
    line.text("low_" + name);
    line.text("high_" + name);
  }
  return line.finish();
}

void add_identity(Line& line, const analysis::CaseSummary& summary) {
  const record::Case& one = summary.measured_case;
  line.text(one.id);
  line.text(one.study_phase);
  line.text(one.framework);
  line.text(one.version);
  line.text(one.model);
  line.text(one.dataset);
  line.integer(one.batch);
  line.integer(one.threads);
  line.integer(one.is_reference ? 1 : 0);
  line.integer(summary.is_base ? 1 : 0);
}

void add_verdict(Line& line, const analysis::CaseSummary& summary) {
  line.text(record::to_text(summary.outcome.kind));
  line.text(summary.outcome.reason);
  line.integer(summary.run_count);
  line.integer(summary.invalid_count);
  line.text(summary.certificate ? record::to_text(summary.certificate->verdict) : "");
  line.text(summary.certificate ? summary.certificate->key : "");
  line.text(summary.verdict.text);
  const auto& ratio = summary.verdict.ratio;
  const stats::Interval* interval = ratio && ratio->interval ? &*ratio->interval : nullptr;
  const auto real = [&line](bool has_value, double value) {
    line.real(has_value ? std::optional(value) : std::nullopt);
  };
  real(ratio.has_value(), ratio ? ratio->ratio : 0.0);
  real(interval != nullptr, interval != nullptr ? interval->low : 0.0);
  real(interval != nullptr, interval != nullptr ? interval->high : 0.0);
  real(interval != nullptr, interval != nullptr ? interval->level : 0.0);
  real(ratio.has_value(), summary.verdict.holm_p);
  line.real(summary.share_of_reference);
}

void add_metrics(Line& line, const analysis::CaseSummary& summary) {
  for (const record::MetricInfo& metric : record::metric_catalogue()) {
    const auto median = summary.medians.find(metric.id);
    const auto interval = summary.intervals.find(metric.id);
    const bool has_interval = interval != summary.intervals.end();
    line.real(median == summary.medians.end() ? std::nullopt : std::optional(median->second));
    line.real(has_interval ? std::optional(interval->second.low) : std::nullopt);
    line.real(has_interval ? std::optional(interval->second.high) : std::nullopt);
  }
}

}  // namespace

std::string csv(const ReportInput& input) {
  std::string out = header();
  for (const analysis::CaseSummary& summary : input.analysis.cases) {
    Line line;
    add_identity(line, summary);
    add_verdict(line, summary);
    add_metrics(line, summary);
    out += line.finish();
  }
  return out;
}

}  // namespace dlbench::report
