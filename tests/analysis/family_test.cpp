#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "analysis/analysis.hpp"
#include "base/error.hpp"

namespace dlbench::analysis {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

Family example() {
  Family family;
  family.base = "torch";
  family.alpha = 0.01;
  family.margin_ratio = 0.03;
  family.blocks = 9;
  family.pairs = {{"b", "a"}, {"c", "a"}};
  family.accepted_deviations = {"ties_all"};
  return family;
}

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(family_from_json(text));
  } catch (const base::UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FamilyJson, ComesBackAsItWas) {
  const Family family = family_from_json(to_json(example()));
  EXPECT_EQ(family.metric, "step_time_ns");
  EXPECT_EQ(family.base, "torch");
  EXPECT_EQ(family.alpha, 0.01);
  EXPECT_EQ(family.margin_ratio, 0.03);
  EXPECT_EQ(family.blocks, 9);
  EXPECT_THAT(family.pairs, ElementsAre(Pair("b", "a"), Pair("c", "a")));
  EXPECT_THAT(family.accepted_deviations, ElementsAre("ties_all"));
  EXPECT_EQ(to_json(family), to_json(example()));
}

// The text is hashed into the study's identity: it must never change for an unchanged family.
TEST(FamilyJson, HasAFixedText) {
  EXPECT_EQ(
      to_json(example()),
      R"({"accepted_deviations":["ties_all"],"alpha":0.01,"base":"torch","blocks":9,"margin_ratio":0.03,)"
      R"("metric":"step_time_ns","pairs":[["b","a"],["c","a"]]})");
}

TEST(FamilyJson, RefusesWhatItCannotMean) {
  EXPECT_THAT(refusal(""), HasSubstr("family"));
  EXPECT_THAT(refusal("[]"), HasSubstr("family"));
  EXPECT_THAT(refusal("{}"), HasSubstr("metric"));
  const auto with = [](const std::string& change) {
    const std::string good = to_json(example());
    return good.substr(0, good.size() - 1) + "," + change + "}";
  };
  EXPECT_EQ(refusal(with(R"("unknown":1)")), "accepted");
  EXPECT_THAT(refusal(with(R"("metric":"beauty")")), HasSubstr("no metric 'beauty'"));
  EXPECT_THAT(refusal(with(R"("alpha":0)")), HasSubstr("alpha"));
  EXPECT_THAT(refusal(with(R"("alpha":0.5)")), HasSubstr("alpha"));
  EXPECT_THAT(refusal(with(R"("alpha":"0.05")")), HasSubstr("family"));
  EXPECT_THAT(refusal(with(R"("margin_ratio":-1)")), HasSubstr("margin_ratio"));
  EXPECT_THAT(refusal(with(R"("blocks":-1)")), HasSubstr("blocks"));
  EXPECT_THAT(refusal(with(R"("blocks":99999999999)")), HasSubstr("blocks"));
  EXPECT_THAT(refusal(with(R"("pairs":[["a"]])")), HasSubstr("family"));
  EXPECT_THAT(refusal(with(R"("pairs":[["a","a"]])")), HasSubstr("itself"));
  EXPECT_THAT(refusal(with(R"("pairs":[["a","b"],["a","c"]])")), HasSubstr("twice"));
}

Family of_size(int blocks, int tests) {
  Family family;
  family.blocks = blocks;
  for (int i = 0; i < tests; ++i) {
    family.pairs.emplace_back(std::to_string(i), "base");
  }
  return family;
}

// 2 · 2⁻⁶ = 0.03125 ≤ 0.05 but > 0.025; 2 · 2⁻⁷ = 0.0156 ≤ 0.025.
TEST(RequirePower, AsksForTheRunsThatTheFamilyNeeds) {
  EXPECT_NO_THROW(require_power(of_size(0, 0)));
  EXPECT_NO_THROW(require_power(of_size(6, 1)));
  EXPECT_THROW(require_power(of_size(5, 1)), base::UserError);
  EXPECT_NO_THROW(require_power(of_size(7, 2)));
  try {
    require_power(of_size(6, 2));
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("6 blocks"), HasSubstr("7 blocks are needed"),
                                    HasSubstr("0.025"), HasSubstr("0.0312")));
    EXPECT_THAT(error.hint(), AllOf(HasSubstr("blocks: 7"), HasSubstr("--allow-weak")));
  }
}

}  // namespace
}  // namespace dlbench::analysis
