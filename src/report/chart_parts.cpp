#include "report/chart_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace dlbench::report {
namespace {

constexpr std::array<const char*, 10> colours = {"#4285d0", "#e0742f", "#2f9e6b", "#b95fb5", "#c49a1a",
                                                 "#d4526e", "#6f78d8", "#3aa6b0", "#a06b45", "#7a9a3a"};
constexpr const char* reference_colour = "#8a949e";

Json value_axis(const std::string& name) {
  return {{"type", "value"}, {"name", name}, {"nameLocation", "middle"}, {"nameGap", 30}, {"scale", true}};
}

Json tooltip() {
  return {{"trigger", "item"}, {"renderMode", "richText"}, {"confine", true}};
}

// Indices of the least and the greatest finite value of [begin, end), in their order; empty when there is
// none.
std::vector<std::size_t> extremes(const std::vector<double>& values, std::size_t begin, std::size_t end) {
  std::optional<std::size_t> low;
  std::optional<std::size_t> high;
  for (std::size_t i = begin; i < end; ++i) {
    if (!std::isfinite(values[i])) {
      continue;
    }
    low = !low || values[i] < values[*low] ? i : low;
    high = !high || values[i] > values[*high] ? i : high;
  }
  if (!low) {
    return {};
  }
  return *low == *high ? std::vector{*low} : std::vector{std::min(*low, *high), std::max(*low, *high)};
}

Json point(const std::vector<double>& values, std::size_t index, double stride) {
  return Json::array({chart_number(static_cast<double>(index + 1) * stride), chart_number(values[index])});
}

}  // namespace

Palette::Palette(const std::vector<CaseRow>& rows) {
  std::size_t next = 0;
  for (const CaseRow& row : rows) {
    if (row.timed->measured_case.is_reference) {
      colours_.emplace(row.label, reference_colour);
    } else if (colours_.emplace(row.label, colours[next % colours.size()]).second) {
      ++next;
    }
  }
}

std::string Palette::of(const std::string& label) const {
  const auto found = colours_.find(label);
  return found == colours_.end() ? reference_colour : found->second;
}

Json chart_number(double value) {
  if (!std::isfinite(value)) {
    return nullptr;
  }
  return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

Json horizontal_frame(const std::vector<std::string>& categories, const std::string& value_name) {
  return {{"grid",
           {{"left", 12},
            {"right", 28},
            {"top", 12},
            {"bottom", 48},
            {"outerBoundsMode", "same"},
            {"outerBoundsContain", "axisLabel"}}},
          {"tooltip", tooltip()},
          {"xAxis", value_axis(value_name)},
          {"yAxis",
           {{"type", "category"},
            {"data", categories},
            {"inverse", true},
            {"axisLabel", {{"width", 220}, {"overflow", "truncate"}}}}},
          {"series", Json::array()}};
}

Json xy_frame(const std::string& x_name, const std::string& y_name) {
  Json y_axis = value_axis(y_name);
  y_axis["nameGap"] = 48;
  Json x_axis = value_axis(x_name);
  x_axis["scale"] = false;
  return {{"grid", {{"left", 64}, {"right", 28}, {"top", 40}, {"bottom", 48}}},
          {"legend", {{"top", 4}, {"type", "scroll"}, {"icon", "roundRect"}}},
          {"tooltip", tooltip()},
          {"xAxis", std::move(x_axis)},
          {"yAxis", std::move(y_axis)},
          {"series", Json::array()}};
}

Json interval_series(const std::string& name, const std::string& colour, double middle, double low,
                     double high, std::size_t category, int shift_px) {
  return {{"type", "custom"},
          {"renderItem", "interval"},
          {"name", name},
          {"itemStyle", {{"color", colour}}},
          {"dimensions", {"middle", "case", "low", "high", "shift"}},
          {"encode", {{"x", {0, 2, 3}}, {"y", 1}, {"tooltip", {0, 2, 3}}}},
          {"z", 3},
          {"data", Json::array({Json::array(
                       {chart_number(middle), category, chart_number(low), chart_number(high), shift_px})})}};
}

const record::Series* find_series(const record::Run& run, record::SeriesKind kind) {
  const auto found = std::find_if(run.series.begin(), run.series.end(),
                                  [kind](const record::Series& series) { return series.kind == kind; });
  return found == run.series.end() ? nullptr : &*found;
}

Json thinned_curve(const std::vector<double>& values, double stride, std::size_t most) {
  Json points = Json::array();
  if (values.size() <= most) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      points.push_back(point(values, i, stride));
    }
    return points;
  }
  const std::size_t stretches = std::max<std::size_t>(1, most / 2);
  for (std::size_t stretch = 0; stretch < stretches; ++stretch) {
    const std::size_t begin = values.size() * stretch / stretches;
    const std::size_t end = values.size() * (stretch + 1) / stretches;
    const std::vector<std::size_t> kept = extremes(values, begin, end);
    if (kept.empty()) {
      points.push_back(Json::array({chart_number(static_cast<double>(begin + 1) * stride), nullptr}));
    }
    for (const std::size_t index : kept) {
      points.push_back(point(values, index, stride));
    }
  }
  return points;
}

Json mean_curve(const std::vector<double>& values, double stride, std::size_t stretches) {
  Json points = Json::array();
  stretches = std::min(stretches, values.size());
  for (std::size_t stretch = 0; stretch < stretches; ++stretch) {
    const std::size_t begin = values.size() * stretch / stretches;
    const std::size_t end = values.size() * (stretch + 1) / stretches;
    double sum = 0.0;
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (std::isfinite(values[i])) {
        sum += values[i];
        ++count;
      }
    }
    const double middle = 0.5 * static_cast<double>(begin + end + 1) * stride;
    const double mean = count > 0 ? sum / static_cast<double>(count) : NAN;
    points.push_back(Json::array({chart_number(middle), chart_number(mean)}));
  }
  return points;
}

}  // namespace dlbench::report
