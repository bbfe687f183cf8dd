// The one catalogue of metrics: id, unit, kind, meaning. Table headers, legends and docs/metrics.md come from
// it.
#pragma once

#include <string>
#include <vector>

namespace dlbench::record {

enum class MetricKind { instant, delta, rate, ratio };

struct MetricInfo {
  std::string id;     // "step_time_ns"
  std::string label;  // "step time"
  std::string unit;   // SI unit of the stored value: "ns", "1/s", "bytes", "ratio", "s"
  MetricKind kind = MetricKind::instant;
  bool lower_is_better = true;
  std::string meaning;
};

[[nodiscard]] const std::vector<MetricInfo>& metric_catalogue();
[[nodiscard]] const MetricInfo* find_metric(const std::string& id);

}  // namespace dlbench::record
