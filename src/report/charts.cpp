#include "report/charts.hpp"

#include "report/escape.hpp"
#include "report/json_value.hpp"

namespace dlbench::report {

std::vector<Chart> make_charts(const ReportInput& input, const std::vector<CaseRow>& rows) {
  std::vector<Chart> charts = step_time_charts(input, rows);
  for (const auto& make : {ratio_charts, convergence_charts}) {
    for (Chart& chart : make(input, rows)) {
      charts.push_back(std::move(chart));
    }
  }
  return charts;
}

std::string charts_json(const std::vector<Chart>& charts) {
  Json out = Json::array();
  for (const Chart& chart : charts) {
    out.push_back({{"id", chart.id},
                   {"title", valid_utf8(chart.title)},
                   {"unit", valid_utf8(chart.unit)},
                   {"option", Json::parse(chart.option_json)}});
  }
  return escape_json_for_script(out.dump(-1, ' ', false, Json::error_handler_t::replace));
}

}  // namespace dlbench::report
