#include "record/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace dlbench::record {

std::string thread_text(int threads) {
  return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

// Part of the store's format: names never change.
std::string_view to_text(SeriesKind kind) {
  switch (kind) {
    case SeriesKind::w1_step:
      return "w1_step";
    case SeriesKind::w2_step:
      return "w2_step";
    case SeriesKind::warm_up_step:
      return "warm_up_step";
    case SeriesKind::loss:
      return "loss";
    case SeriesKind::epoch_accuracy:
      return "epoch_accuracy";
  }
  base::fail_assertion("known series", __FILE__, __LINE__, std::to_string(static_cast<int>(kind)));
}

std::optional<double> metric_of(const Run& run, std::string_view id) {
  const auto found = std::find_if(run.metrics.begin(), run.metrics.end(),
                                  [id](const Metric& metric) { return metric.id == id; });
  if (found == run.metrics.end() || !std::isfinite(found->value)) {
    return std::nullopt;
  }
  return found->value;
}

}  // namespace dlbench::record
