#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "report/example.hpp"
#include "report/parsed_json.hpp"

namespace dlbench::report {
namespace {

using nlohmann::json;

TEST(Json, HasVersionCasesAndRunsWithoutSamples) {
  const json document = json::parse(report::json(example::study(2, 5)));
  EXPECT_EQ(document["schema_version"], json_schema_version);
  EXPECT_EQ(document["cases"].size(), 18U);
  EXPECT_EQ(document["runs"].size(), 16U * 2U + 2U);
  EXPECT_EQ(document["runs"].back()["series"][0]["count"], 5);
  EXPECT_FALSE(document["runs"].back()["series"][0].contains("values"));
  EXPECT_EQ(document["environment"]["dlbench"]["version"], "0.1.0");
  EXPECT_EQ(document["family"]["base"], "libtorch");
}

TEST(Json, NonFiniteNumbersAreNull) {
  ReportInput input = example::study(1, 0);
  input.analysis.cases[0].medians["step_time_ns"] = NAN;
  input.analysis.cases[1].verdict.ratio->ratio = INFINITY;
  input.analysis.cases[1].certificate->checks[0].error = NAN;
  input.analysis.cases[1].certificate->faults[0].effect_over_limit = INFINITY;
  input.runs[0].metrics.push_back({"final_loss", NAN});
  const json document = json::parse(report::json(input));
  EXPECT_TRUE(document["cases"][0]["metrics"]["step_time_ns"]["median"].is_null());
  EXPECT_TRUE(document["cases"][1]["verdict"]["ratio_to_base"]["ratio"].is_null());
  EXPECT_TRUE(document["cases"][1]["certificate"]["checks"][0]["error"].is_null());
  EXPECT_TRUE(document["cases"][1]["certificate"]["faults"][0]["effect_over_limit"].is_null());
  EXPECT_TRUE(document["runs"][0]["metrics"]["final_loss"].is_null());
}

TEST(Json, SurvivesHostileText) {
  const std::string text = report::json(example::hostile_study(example::hostile_text()));
  const json document = json::parse(text);
  EXPECT_NE(document["title"].get<std::string>().find("</script><script>"), std::string::npos);
  EXPECT_TRUE(document["environment"].is_string());
}

TEST(FlattenJson, NamesScalarsByPath) {
  const auto flat = flatten_json(R"({"a":{"b":1,"c":[1,"x"]},"d":[{"e":1},{}],"f":null,"g":true})");
  ASSERT_TRUE(flat);
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"a.b", "1"}, {"a.c", "1 x"}, {"d", "2 entries"}, {"f", "–"}, {"g", "true"}};
  EXPECT_EQ(*flat, expected);
}

TEST(FlattenJson, RefusesWhatIsNoObjectOrTooDeep) {
  EXPECT_FALSE(flatten_json(""));
  EXPECT_FALSE(flatten_json("[1]"));
  EXPECT_FALSE(flatten_json("{\"a\":"));
  std::string deep;
  for (int i = 0; i < 100000; ++i) {
    deep += "{\"a\":";
  }
  EXPECT_FALSE(flatten_json(deep + "1" + std::string(100000, '}')));
  EXPECT_FALSE(flatten_json("{\"a\":\"" + std::string(5U << 20U, 'x') + "\"}"));
}

}  // namespace
}  // namespace dlbench::report
