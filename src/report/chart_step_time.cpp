// Step times of all runs and the paired ratios made of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "report/chart_parts.hpp"
#include "report/charts.hpp"
#include "report/format.hpp"
#include "report/main_table.hpp"

namespace dlbench::report {
namespace {

constexpr int row_height_px = 40;
constexpr int frame_height_px = 84;

struct RunTime {
  int block = 0;
  int attempt = 0;
  double ms = 0.0;
};

std::vector<RunTime> run_times(const ReportInput& input, const std::string& case_id) {
  std::vector<RunTime> times;
  for (const record::Run& run : input.runs) {
    const auto value = record::metric_of(run, "step_time_ns");
    if (run.case_id == case_id && value && run.outcome.kind != record::OutcomeKind::invalid) {
      times.push_back({run.block, run.attempt, *value / ns_per_ms});
    }
  }
  std::sort(times.begin(), times.end(), [](const RunTime& a, const RunTime& b) {
    return std::tie(a.block, a.attempt, a.ms) < std::tie(b.block, b.attempt, b.ms);
  });
  return times;
}

Json run_points(const std::vector<RunTime>& times, const std::string& name, const std::string& colour,
                std::size_t category) {
  Json data = Json::array();
  for (const RunTime& time : times) {
    data.push_back(Json::array({chart_number(time.ms), category, time.block + 1}));
  }
  return {{"type", "scatter"},
          {"name", name},
          {"symbolSize", 7},
          {"symbolOffset", {0, -7}},
          {"dimensions", {"ms", "case", "block"}},
          {"encode", {{"x", 0}, {"y", 1}, {"tooltip", {0, 2}}}},
          {"itemStyle", {{"color", colour}, {"opacity", 0.55}}},
          {"data", std::move(data)}};
}

std::vector<std::string> table_row(const CaseRow& row, const std::vector<RunTime>& times) {
  const auto median = median_of(*row.timed, "step_time_ns");
  const int decimals = median ? decimals_for(*median / ns_per_ms, 4) : 3;
  const auto range = interval_of(*row.timed, "step_time_ns");
  std::string list;
  for (const RunTime& time : times) {
    list += (list.empty() ? "" : "  ") + fixed(time.ms, decimals);
  }
  return {marked(row.label, *row.timed), std::to_string(times.size()),
          median ? fixed(*median / ns_per_ms, decimals) : no_value,
          range ? interval(*range, 1.0 / ns_per_ms, decimals) : no_value, list.empty() ? no_value : list};
}

Chart step_time_chart(const ReportInput& input, const std::vector<const CaseRow*>& rows,
                      const Palette& palette) {
  Chart chart;
  chart.title = "Step time of every run, " + rows.front()->group;
  chart.unit = "ms";
  chart.note = "Dots above: one per run. Bar below: the median and its interval. Further left is faster.";
  chart.height_px = frame_height_px + row_height_px * static_cast<int>(rows.size());
  chart.table.columns = {{"framework", false},
                         {"runs", true},
                         {"median (ms)", true},
                         {"interval (ms)", true},
                         {"runs in block order (ms)", false}};
  std::vector<std::string> categories;
  Json series = Json::array();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const CaseRow& row = *rows[i];
    const std::vector<RunTime> times = run_times(input, row.timed->measured_case.id);
    const std::string colour = palette.of(row.label);
    categories.push_back(marked(row.label, *row.timed));
    series.push_back(run_points(times, row.label, colour, i));
    const auto median = median_of(*row.timed, "step_time_ns");
    const auto range = interval_of(*row.timed, "step_time_ns");
    if (median && range) {
      series.push_back(interval_series(row.label + ", median", colour, *median / ns_per_ms,
                                       range->low / ns_per_ms, range->high / ns_per_ms, i, 7));
    }
    chart.table.rows.push_back(table_row(row, times));
  }
  Json option = horizontal_frame(categories, "step time (ms)");
  option["series"] = std::move(series);
  chart.option_json = option.dump();
  return chart;
}

// The band in which two step times count as the same, and a line at 1.
Json margin_band(double margin) {
  return {{"type", "scatter"},
          {"name", "margin"},
          {"silent", true},
          {"data", Json::array()},
          {"markArea",
           {{"silent", true},
            {"itemStyle", {{"color", "#8a949e"}, {"opacity", 0.22}}},
            {"data", Json::array({Json::array({{{"xAxis", chart_number(1.0 / (1.0 + margin))}},
                                               {{"xAxis", chart_number(1.0 + margin)}}})})}}},
          {"markLine",
           {{"silent", true},
            {"symbol", "none"},
            {"label", {{"show", false}}},
            {"lineStyle", {{"color", "#8a949e"}, {"type", "dashed"}}},
            {"data", Json::array({{{"xAxis", 1}}})}}}};
}

std::vector<std::string> ratio_row(const CaseRow& row) {
  const stats::PairedRatio& ratio = *row.timed->verdict.ratio;
  const int decimals = ratio_decimals(ratio.interval);
  return {marked(row.label, *row.timed),
          row.group,
          std::to_string(ratio.n),
          fixed(ratio.ratio, decimals),
          ratio.interval ? interval(*ratio.interval, 1.0, decimals) : no_value,
          ratio.interval ? percent(ratio.interval->level, 1) : no_value,
          number(row.timed->verdict.holm_p),
          verdict_text(*row.timed)};
}

// The margin band and 1 always lie inside the axis, so that it is seen on which side an interval stands.
void set_ratio_axis(Json& option, const std::vector<const CaseRow*>& rows, double margin) {
  double low = 1.0 / (1.0 + margin);
  double high = 1.0 + margin;
  for (const CaseRow* row : rows) {
    const stats::PairedRatio& ratio = *row->timed->verdict.ratio;
    low = std::min(low, ratio.interval ? ratio.interval->low : ratio.ratio);
    high = std::max(high, ratio.interval ? ratio.interval->high : ratio.ratio);
  }
  // Ends on a whole tick: ECharts puts about five to ten ticks on an axis.
  const double tick = high - low > 1.0 ? 0.2 : (high - low > 0.2 ? 0.1 : 0.01);
  option["xAxis"]["min"] = chart_number(std::floor((low - 0.1 * tick) / tick) * tick);
  option["xAxis"]["max"] = chart_number(std::ceil((high + 0.1 * tick) / tick) * tick);
}

}  // namespace

std::vector<Chart> step_time_charts(const ReportInput& input, const std::vector<CaseRow>& rows) {
  const Palette palette(rows);
  std::vector<Chart> charts;
  for (std::size_t begin = 0; begin < rows.size();) {
    std::vector<const CaseRow*> group;
    std::size_t end = begin;
    for (; end < rows.size() && rows[end].group == rows[begin].group; ++end) {
      if (rows[end].timed != rows[end].convergence) {
        group.push_back(&rows[end]);
      }
    }
    if (!group.empty()) {
      charts.push_back(step_time_chart(input, group, palette));
      charts.back().id = fmt::format("step-time-{}", charts.size());
    }
    begin = end;
  }
  return charts;
}

std::vector<Chart> ratio_charts(const ReportInput& input, const std::vector<CaseRow>& rows) {
  std::vector<const CaseRow*> compared;
  for (const CaseRow& row : rows) {
    if (row.timed->verdict.ratio && std::isfinite(row.timed->verdict.ratio->ratio)) {
      compared.push_back(&row);
    }
  }
  if (compared.empty()) {
    return {};
  }
  const Palette palette(rows);
  const double margin = input.analysis.family.margin_ratio;
  Chart chart;
  chart.id = "ratio";
  chart.title = "Step time relative to " + clean_text(input.analysis.family.base, Lines::join);
  chart.unit = "ratio";
  chart.note =
      "Typical paired ratio with its exact interval. Left of 1 is faster than the base, right is slower; the "
      "grey band is the margin within which two count as the same.";
  chart.height_px = frame_height_px + row_height_px * static_cast<int>(compared.size());
  chart.table.columns = {{"framework", false}, {"group", false}, {"pairs", true},  {"ratio", true},
                         {"interval", true},   {"level", true},  {"Holm p", true}, {"verdict", false}};
  std::vector<std::string> categories;
  Json series = Json::array({margin_band(margin)});
  for (std::size_t i = 0; i < compared.size(); ++i) {
    const CaseRow& row = *compared[i];
    const stats::PairedRatio& ratio = *row.timed->verdict.ratio;
    categories.push_back(row.label + ", " + row.group);
    series.push_back(interval_series(row.label, palette.of(row.label), ratio.ratio,
                                     ratio.interval ? ratio.interval->low : ratio.ratio,
                                     ratio.interval ? ratio.interval->high : ratio.ratio, i));
    chart.table.rows.push_back(ratio_row(row));
  }
  Json option =
      horizontal_frame(categories, "step time ÷ " + clean_text(input.analysis.family.base, Lines::join));
  set_ratio_axis(option, compared, margin);
  option["series"] = std::move(series);
  chart.option_json = option.dump();
  return {chart};
}

}  // namespace dlbench::report
