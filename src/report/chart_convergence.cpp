// Loss against step and accuracy against epoch of the convergence runs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/chart_parts.hpp"
#include "report/charts.hpp"
#include "report/format.hpp"

namespace dlbench::report {
namespace {

using record::SeriesKind;

constexpr std::size_t most_points = 5000;
constexpr std::size_t mean_stretches = 100;
constexpr int height_px = 380;

struct Curve {
  const record::Run* run = nullptr;
  const record::Series* series = nullptr;
  std::string name;
  std::string label;
};

// Curves of one kind, in study order, then by block.
std::vector<Curve> find_curves(const ReportInput& input, const std::vector<CaseRow>& rows, SeriesKind kind) {
  std::vector<Curve> curves;
  std::vector<const analysis::CaseSummary*> seen;
  for (const CaseRow& row : rows) {
    if (row.convergence == nullptr || std::find(seen.begin(), seen.end(), row.convergence) != seen.end()) {
      continue;
    }
    seen.push_back(row.convergence);
    for (const record::Run& run : input.runs) {
      const record::Series* series = find_series(run, kind);
      if (run.case_id == row.convergence->measured_case.id && series != nullptr && !series->values.empty()) {
        curves.push_back(
            {&run, series,
             marked(row.label + ", " + record::thread_text(row.convergence->measured_case.threads),
                    *row.convergence),
             row.label});
      }
    }
  }
  return curves;
}

// Steps between two recorded losses: the host fetches the loss at equal distances.
double loss_stride(const Curve& curve) {
  const auto steps = record::metric_of(*curve.run, "train_steps");
  const auto count = static_cast<double>(curve.series->values.size());
  return steps && *steps >= count ? std::floor(*steps / count) : 1.0;
}

Json line(const Curve& curve, const Palette& palette, Json points) {
  return {{"type", "line"},
          {"name", curve.name},
          {"showSymbol", false},
          {"lineStyle", {{"width", 2}}},
          {"itemStyle", {{"color", palette.of(curve.label)}}},
          {"data", std::move(points)}};
}

std::size_t finite_count(const std::vector<double>& values) {
  return static_cast<std::size_t>(
      std::count_if(values.begin(), values.end(), [](double value) { return std::isfinite(value); }));
}

Chart loss_chart(const std::vector<Curve>& curves, const Palette& palette) {
  Chart chart;
  chart.id = "loss";
  chart.title = "Training loss of the convergence runs";
  chart.unit = "nat";
  chart.note = fmt::format(
      "Loss of a batch before the update it leads to: pale lines as recorded, strong lines the mean over {} "
      "equal "
      "stretches. "
      "Of curves with more than {} values the least and the greatest of each stretch are drawn; the table "
      "says how many.",
      mean_stretches, most_points);
  chart.height_px = height_px;
  chart.table.columns = {{"framework", false}, {"block", true},        {"losses recorded", true},
                         {"not finite", true}, {"points drawn", true}, {"first loss", true},
                         {"last loss", true},  {"outcome", false}};
  Json option = xy_frame("step", "loss (nat)");
  for (const Curve& curve : curves) {
    const std::vector<double>& values = curve.series->values;
    Json points = thinned_curve(values, loss_stride(curve), most_points);
    chart.table.rows.push_back({curve.name, std::to_string(curve.run->block + 1),
                                std::to_string(values.size()),
                                std::to_string(values.size() - finite_count(values)),
                                std::to_string(points.size()), number(values.front()), number(values.back()),
                                clean_text(record::to_text(curve.run->outcome), Lines::join)});
    Json single = line(curve, palette, std::move(points));
    single["lineStyle"] = {{"width", 1}, {"opacity", 0.22}};
    option["series"].push_back(std::move(single));
    option["series"].push_back(line(curve, palette, mean_curve(values, loss_stride(curve), mean_stretches)));
  }
  chart.option_json = option.dump();
  return chart;
}

Chart accuracy_chart(const std::vector<Curve>& curves, const Palette& palette) {
  Chart chart;
  chart.id = "accuracy";
  chart.title = "Accuracy after each epoch";
  chart.unit = "%";
  chart.note = "Share of evaluated samples that are classified correctly. Higher is better.";
  chart.height_px = height_px;
  chart.table.columns = {{"framework", false},
                         {"block", true},
                         {"epochs", true},
                         {"after the first epoch", true},
                         {"last", true},
                         {"training time (s)", true},
                         {"evaluation time (s)", true}};
  Json option = xy_frame("epoch", "accuracy (%)");
  option["xAxis"]["minInterval"] = 1;
  for (const Curve& curve : curves) {
    std::vector<double> shown = curve.series->values;
    std::for_each(shown.begin(), shown.end(), [](double& value) { value *= 100.0; });
    const auto seconds = [&curve](const std::string& id) {
      const auto value = record::metric_of(*curve.run, id);
      return value ? number(*value) : std::string(no_value);
    };
    chart.table.rows.push_back({curve.name, std::to_string(curve.run->block + 1),
                                std::to_string(shown.size()), percent(curve.series->values.front(), 2),
                                percent(curve.series->values.back(), 2), seconds("train_time_s"),
                                seconds("evaluate_time_s")});
    Json epochs = line(curve, palette, thinned_curve(shown, 1.0, most_points));
    epochs["showSymbol"] = true;
    epochs["symbolSize"] = 6;
    option["series"].push_back(std::move(epochs));
  }
  chart.option_json = option.dump();
  return chart;
}

}  // namespace

std::vector<Chart> convergence_charts(const ReportInput& input, const std::vector<CaseRow>& rows) {
  const Palette palette(rows);
  std::vector<Chart> charts;
  if (const auto curves = find_curves(input, rows, SeriesKind::loss); !curves.empty()) {
    charts.push_back(loss_chart(curves, palette));
  }
  if (const auto curves = find_curves(input, rows, SeriesKind::epoch_accuracy); !curves.empty()) {
    charts.push_back(accuracy_chart(curves, palette));
  }
  return charts;
}

}  // namespace dlbench::report
