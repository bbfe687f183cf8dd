#include "report/charts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/chart_parts.hpp"
#include "report/example.hpp"

namespace dlbench::report {
namespace {

TEST(ThinnedCurve, ShortCurvesAreWhole) {
  EXPECT_EQ(thinned_curve({}, 1.0, 4).dump(), "[]");
  EXPECT_EQ(thinned_curve({2.0, 1.0}, 10.0, 4).dump(), "[[10.0,2.0],[20.0,1.0]]");
  EXPECT_EQ(thinned_curve({2.0, NAN}, 1.0, 4).dump(), "[[1.0,2.0],[2.0,null]]");
}

// Eight values, at most four points: two stretches of four, least and greatest of each in their order.
TEST(ThinnedCurve, KeepsEveryPeak) {
  EXPECT_EQ(thinned_curve({5, 9, 1, 5, 3, 3, 2, 8}, 1.0, 4).dump(),
            "[[2.0,9.0],[3.0,1.0],[7.0,2.0],[8.0,8.0]]");
  EXPECT_EQ(thinned_curve({4, 4, 4, 4, NAN, NAN, NAN, NAN}, 1.0, 4).dump(), "[[1.0,4.0],[5.0,null]]");
}

TEST(MeanCurve, AveragesStretchesAtTheirMiddle) {
  // Steps 1 to 4 and 5 to 8: middles 2.5 and 6.5; values that are not finite do not count.
  EXPECT_EQ(mean_curve({1, 3, 5, 7, 2, NAN, 4, NAN}, 1.0, 2).dump(), "[[2.5,4.0],[6.5,3.0]]");
  EXPECT_EQ(mean_curve({}, 1.0, 2).dump(), "[]");
  EXPECT_EQ(mean_curve({NAN}, 1.0, 2).dump(), "[[1.0,null]]");
}

TEST(Charts, ExampleHasAllOfThem) {
  const ReportInput input = example::study(7, 6000);
  const auto rows = case_rows(input.analysis);
  const auto charts = make_charts(input, rows);
  std::vector<std::string> ids;
  for (const Chart& chart : charts) {
    ids.push_back(chart.id);
    for (const auto& row : chart.table.rows) {
      EXPECT_EQ(row.size(), chart.table.columns.size()) << chart.id;
    }
  }
  EXPECT_EQ(ids, (std::vector<std::string>{"step-time-1", "step-time-2", "ratio", "loss", "accuracy"}));
  // The table tells how many of the losses are drawn.
  EXPECT_EQ(charts[3].table.rows[0][2], "6000");
  EXPECT_EQ(charts[3].table.rows[0][4], "5000");
}

TEST(Charts, EveryTimedRunIsADot) {
  const ReportInput input = example::study(7, 0);
  const auto option = nlohmann::json::parse(make_charts(input, case_rows(input.analysis))[0].option_json);
  std::size_t dots = 0;
  for (const auto& series : option["series"]) {
    dots += series["type"] == "scatter" ? series["data"].size() : 0U;
  }
  EXPECT_EQ(dots, 6U * 7U);  // keras and singa have no step time
}

// 600 losses of 6000 steps: one every 10 steps, the last at step 6000.
TEST(Charts, LossStandsAtItsStep) {
  ReportInput input = example::study(1, 600);
  input.runs.back().metrics.push_back({"train_steps", 6000.0});
  const auto option = nlohmann::json::parse(make_charts(input, case_rows(input.analysis))[3].option_json);
  EXPECT_EQ(option["series"][0]["data"].back()[0], 600.0);   // libtorch: not stored, every value is a step
  EXPECT_EQ(option["series"][2]["data"].back()[0], 6000.0);  // jax
}

TEST(Charts, NoneWithoutRuns) {
  EXPECT_TRUE(make_charts(ReportInput{}, {}).empty());
}

TEST(Charts, JsonCannotEndItsScriptElement) {
  const ReportInput input = example::hostile_study(example::hostile_text());
  const std::string text = charts_json(make_charts(input, case_rows(input.analysis)));
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos);
  EXPECT_TRUE(nlohmann::json::accept(text));
}

}  // namespace
}  // namespace dlbench::report
