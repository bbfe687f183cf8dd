// The page as text; what a browser makes of it is tested in browser/.
#include <gtest/gtest.h>

#include <regex>

#include "report/assets.hpp"
#include "report/example.hpp"

namespace dlbench::report {
namespace {

std::size_t count_of(const std::string& text, const std::string& piece) {
  std::size_t count = 0;
  for (std::size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + piece.size())) {
    ++count;
  }
  return count;
}

// The page without the embedded library, which is large and not ours.
std::string own_part(std::string page) {
  const std::size_t at = page.find(echarts_script());
  return at == std::string::npos ? page : page.erase(at, echarts_script().size());
}

TEST(Html, ContainsEverySection) {
  const std::string page = html(example::study(2, 10));
  for (const char* id :
       {"verdicts", "table", "charts", "metrics", "gate", "runs", "settings", "machine", "study"}) {
    EXPECT_EQ(count_of(page, std::string("<section id=\"") + id + "\">"), 1U) << id;
  }
  EXPECT_NE(page.find("jax 0.12.0.1 is slower than libtorch: 1.52 × the step time [1.49, 1.55]."),
            std::string::npos);
  EXPECT_NE(page.find("not provable here"), std::string::npos);
  EXPECT_NE(page.find("dlbench run --workspace w --case jax-1-throughput --block 1 --seed 1"),
            std::string::npos);
}

TEST(Html, LoadsNothingAndAllowsNoEval) {
  const std::string page = own_part(html(example::study(2, 10)));
  EXPECT_NE(page.find("default-src &#39;none&#39;; script-src &#39;unsafe-inline&#39;"), std::string::npos);
  EXPECT_EQ(page.find("unsafe-eval"), std::string::npos);
  EXPECT_FALSE(std::regex_search(page.substr(0, page.find("<footer>")), std::regex("(src|href)=\"[^#\"]")));
  EXPECT_EQ(page.find("@import"), std::string::npos);
  EXPECT_EQ(page.find("url("), std::string::npos);
}

TEST(Html, CarriesTheLicencesOfWhatItContains) {
  const std::string page = html(example::study(1, 0));
  EXPECT_NE(page.find("Apache License"), std::string::npos);
  EXPECT_NE(page.find("Copyright 2017-2026 The Apache Software Foundation"), std::string::npos);
  EXPECT_NE(page.find("Copyright 2010-2016 Mike Bostock"), std::string::npos);
}

TEST(Html, EachChartStandsAboveATable) {
  const std::string page = html(example::study(2, 10));
  const std::string charts =
      page.substr(page.find("<section id=\"charts\">"), page.find("<section id=\"metrics\">"));
  EXPECT_EQ(count_of(charts, "class=\"chart\""), 5U);
  EXPECT_TRUE(
      std::regex_search(charts, std::regex("class=\"chart\"[^>]*></div>\\s*<div class=\"frame\"><table>")));
}

TEST(Html, HostileTextStaysText) {
  const std::string page = own_part(html(example::hostile_study(example::hostile_text())));
  EXPECT_EQ(page.find("<script>window.hacked"), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  EXPECT_EQ(count_of(page, "<script"), 3U);  // chart data, ECharts, report.js
  EXPECT_EQ(count_of(page, "</script>"), 3U);
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
  EXPECT_EQ(page.find('\xff'), std::string::npos);
}

TEST(Html, EveryEnvironmentVariableHasItsRow) {
  ReportInput input = example::study(1, 0);
  for (int i = 0; i < 30; ++i) {
    input.runs[0].settings.push_back({"environment", "NAME_" + std::to_string(i) + "=a=b", "host"});
  }
  const std::string page = html(input);
  EXPECT_NE(page.find("environment NAME_0</td>"), std::string::npos);
  EXPECT_NE(page.find("environment NAME_29</td>"), std::string::npos);
  EXPECT_NE(page.find(">a=b</td>"), std::string::npos);
}

// Seven loads 0.00 … 0.60 before the runs are a range; three texts are listed.
TEST(Html, MachineStatesAreSummarised) {
  ReportInput input = example::study(7, 0);
  input.runs[0].machine_before = R"({"governor":"powersave"})";
  input.runs[1].machine_before = R"({"governor":"performance"})";
  const std::string page = html(input);
  EXPECT_NE(page.find("<td class=\"words\">load_1min</td><td class=\"words\">0 … 0.6</td>"),
            std::string::npos);
  EXPECT_NE(page.find("powersave | performance | –"), std::string::npos);
}

TEST(Html, SaysWhatWasProvedOfInference) {
  ReportInput input = example::study(2, 10);
  const std::string training = "every gradient and several training steps";
  EXPECT_EQ(count_of(html(input), training), 1U);
  for (analysis::CaseSummary& one : input.analysis.cases) {
    if (one.certificate) {
      one.certificate->checks = {{"inference.logits", "logits", "ip2", 1e-7, 2e-6, true},
                                 {"inference.logits", "top-1", "samples of another class", 0.0, 0.0, true}};
    }
  }
  const std::string page = html(input);
  EXPECT_EQ(count_of(page, training), 0U);
  EXPECT_EQ(count_of(page, "logits and the class of each sample"), 1U);
}

TEST(Html, EmptyInputIsAPage) {
  const std::string page = html(ReportInput{});
  EXPECT_NE(page.find("There is nothing to draw"), std::string::npos);
  EXPECT_EQ(count_of(page, "<script"), 0U);
}

TEST(Assets, AreWholeFiles) {
  EXPECT_GT(echarts_script().size(), 1000000U);
  EXPECT_TRUE(page_script().starts_with("// Draws the charts"));
  EXPECT_EQ(echarts_script().find("</script"), std::string_view::npos);
  EXPECT_EQ(echarts_script().find("<!--"), std::string_view::npos);
  EXPECT_EQ(page_style().find("</"), std::string_view::npos);
}

}  // namespace
}  // namespace dlbench::report
