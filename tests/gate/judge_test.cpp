#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "gate/gate.hpp"
#include "gate/runs.hpp"
#include "gate/sample_work.hpp"

namespace dlbench::gate {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class Judge : public ::testing::Test {
 protected:
  const Plan plan = make_plan(sample_work(testing::small_net(), 12, 5));
  testing::Results results = testing::run(plan, testing::rounding(33));

  std::vector<Result>& of(const std::string& id) {
    for (std::size_t i = 0; i < plan.expectations.size(); ++i) {
      if (plan.expectations[i].experiment.id == id) {
        return results[i];
      }
    }
    throw base::Bug("no experiment " + id);
  }
};

TEST_F(Judge, PassesAndListsEveryExperiment) {
  const record::Certificate certificate = judge(plan, results, {});
  EXPECT_EQ(certificate.verdict, record::Verdict::pass) << certificate.reason;
  EXPECT_EQ(certificate.reason, "");
  EXPECT_EQ(certificate.diagnosis, "");
  EXPECT_THAT(certificate.notes, IsEmpty());
  std::vector<std::string> seen;
  for (const record::Check& check : certificate.checks) {
    EXPECT_TRUE(check.passed);
    EXPECT_LE(check.error, check.limit);
    seen.push_back(check.experiment + " " + check.quantity);
  }
  EXPECT_THAT(seen,
              ElementsAre("function.logits logits", "data.order logits", "function.gradient loss",
                          "function.gradient gradient", "ties loss", "ties gradient", "partial.gradient loss",
                          "partial.gradient gradient", "steps.constant loss", "steps.constant delta",
                          "steps.changing loss", "steps.changing delta", "timed.steps loss",
                          "timed.steps delta", "steps.stress loss", "steps.stress delta"));
}

TEST_F(Judge, NamesTheFirstDifferingTensorWithBothValues) {
  Result& seen = of("steps.constant").front();
  seen.weights[2][5] += 0.5;  // ip1.weight
  seen.weights[4][1] += 0.5;  // ip2.weight, later
  const record::Certificate certificate = judge(plan, results, {});
  EXPECT_EQ(certificate.verdict, record::Verdict::mismatch);
  EXPECT_THAT(certificate.reason, StartsWith("steps.constant: ip1.weight[5] is "));
  EXPECT_THAT(certificate.reason, HasSubstr("should be "));
  EXPECT_EQ(certificate.diagnosis, "unknown");
}

TEST_F(Judge, NotANumberIsAMismatchWithAReason) {
  of("function.gradient").front().weights[0][3] = std::numeric_limits<double>::quiet_NaN();
  const record::Certificate certificate = judge(plan, results, {});
  EXPECT_EQ(certificate.verdict, record::Verdict::mismatch);
  EXPECT_THAT(certificate.reason,
              StartsWith("function.gradient: conv1.weight[3] is not finite (nan), should be "));
}

TEST_F(Judge, AnInfiniteLossIsAMismatchWithAReason) {
  of("steps.stress").front().losses[1] = std::numeric_limits<double>::infinity();
  const record::Certificate certificate = judge(plan, results, {});
  EXPECT_EQ(certificate.verdict, record::Verdict::mismatch);
  EXPECT_THAT(certificate.reason, HasSubstr("steps.stress: loss of step 2[0] is not finite (inf)"));
}

TEST_F(Judge, MissingTensorsAndLossesAreMismatches) {
  testing::Results whole = results;
  of("steps.constant").front().weights.pop_back();
  EXPECT_THAT(judge(plan, results, {}).reason, HasSubstr("ip2.bias is missing"));
  results = whole;
  of("function.logits").front().logits[0].pop_back();
  EXPECT_THAT(judge(plan, results, {}).reason, HasSubstr("ip2 is missing or has another number of elements"));
  results = whole;
  of("steps.constant").front().losses.clear();
  EXPECT_THAT(judge(plan, results, {}).reason, HasSubstr("loss of step 1 is missing"));
}

TEST_F(Judge, OneBitBetweenRepeatsIsNoted) {
  double& weight = of("timed.steps")[2].weights[0][0];
  weight = std::nextafter(weight, 1.0);
  const record::Certificate certificate = judge(plan, results, {});
  EXPECT_EQ(certificate.verdict, record::Verdict::pass);
  EXPECT_THAT(certificate.notes, Contains("nondeterministic"));
}

// A race may show in one repeat only.
TEST_F(Judge, OneWrongRepeatIsEnough) {
  of("timed.steps")[1].weights[0][0] += 0.1;
  const record::Certificate certificate = judge(plan, results, {});
  EXPECT_EQ(certificate.verdict, record::Verdict::mismatch);
  EXPECT_THAT(certificate.reason, StartsWith("timed.steps: conv1.weight[0]"));
}

TEST_F(Judge, DeclaredTieRulePassesWithTheDeviation) {
  results = testing::run(plan, testing::rounding(3, testing::ties_all()));
  const record::Certificate certificate = judge(plan, results, {"ties_all"});
  EXPECT_EQ(certificate.verdict, record::Verdict::pass_with_deviations) << certificate.reason;
  EXPECT_THAT(certificate.deviations, ElementsAre("ties_all"));
}

TEST_F(Judge, DeclaredMomentumFormPassesWithTheDeviation) {
  results = testing::run(plan, testing::rounding(3, testing::rate_inside()));
  const record::Certificate certificate = judge(plan, results, {"ties_all", "momentum=rate_inside"});
  EXPECT_EQ(certificate.verdict, record::Verdict::pass_with_deviations) << certificate.reason;
  EXPECT_THAT(certificate.deviations, ElementsAre("momentum=rate_inside"));
}

// Its own effect is below the limits, but with the rounding it is above them: only the formula makes it pass.
TEST_F(Judge, WhatPassesOnlyByADeclaredFormulaNamesIt) {
  const auto at = static_cast<std::size_t>(&of("steps.changing") - results.data());
  Plan wider = plan;
  Expectation& judged = wider.expectations[at];
  const Result inside = perform(judged.experiment, oracle::Precision::fp64, testing::rate_inside());
  const double effect = error_over_limit(judged, inside) / 0.9;
  for (std::vector<double>* limits : {&judged.tensor_limits, &judged.loss_limits}) {
    for (double& limit : *limits) {
      limit *= effect;
    }
  }
  Result& seen = results[at].front();
  for (std::size_t tensor = 0; tensor < seen.weights.size(); ++tensor) {
    for (std::size_t i = 0; i < seen.weights[tensor].size(); ++i) {
      const double plain = judged.truth.weights[tensor][i];
      seen.weights[tensor][i] = plain + 1.2 * (inside.weights[tensor][i] - plain);
    }
  }
  seen.losses = inside.losses;
  EXPECT_EQ(judge(wider, results, {}).verdict, record::Verdict::mismatch);
  const record::Certificate certificate = judge(wider, results, {"ties_all", "momentum=rate_inside"});
  EXPECT_EQ(certificate.verdict, record::Verdict::pass_with_deviations) << certificate.reason;
  EXPECT_THAT(certificate.deviations, ElementsAre("momentum=rate_inside"));
}

// Every tensor of steps.changing differs by the plain formula; only the last by the declared one.
TEST_F(Judge, TheReasonIsWhatADeclaredFormulaDoesNotExplain) {
  results = testing::run(plan, testing::rounding(3, testing::rate_inside()));
  of("steps.changing").front().weights.back()[0] += 0.1;
  const record::Certificate certificate = judge(plan, results, {"momentum=rate_inside"});
  EXPECT_EQ(certificate.verdict, record::Verdict::mismatch);
  EXPECT_THAT(certificate.reason, StartsWith("steps.changing: ip2.bias[0]"));
}

TEST_F(Judge, UndeclaredDeviationsAreMismatchesWithAName) {
  const record::Certificate ties =
      judge(plan, testing::run(plan, testing::rounding(3, testing::ties_all())), {});
  EXPECT_EQ(ties.verdict, record::Verdict::mismatch);
  EXPECT_THAT(ties.diagnosis, StartsWith("ties_to_all: "));
  const record::Certificate form =
      judge(plan, testing::run(plan, testing::rounding(3, testing::rate_inside())), {});
  EXPECT_EQ(form.verdict, record::Verdict::mismatch);
  EXPECT_THAT(form.diagnosis, StartsWith("other_momentum_form: "));
}

// Framework libraries with fast exponentials: each value is right but for a few limits.
TEST_F(Judge, WhatIsOffByAFewLimitsIsRoundingAndNoFault) {
  const auto miss_loss_by = [&](double limits) {
    const auto at = static_cast<std::size_t>(&of("function.gradient") - results.data());
    const Expectation& right = plan.expectations[at];
    results[at].front().losses[0] = right.truth.losses[0] * (1.0 + limits * right.loss_limits[0]);
  };
  miss_loss_by(3.0);
  const record::Certificate certificate = judge(plan, results, {});
  EXPECT_EQ(certificate.verdict, record::Verdict::mismatch);
  EXPECT_THAT(certificate.diagnosis, StartsWith("coarse_rounding: "));
  const record::Certificate declared = judge(plan, results, {"coarse_rounding"});
  EXPECT_EQ(declared.verdict, record::Verdict::pass_with_deviations) << declared.reason;
  EXPECT_THAT(declared.deviations, ElementsAre("coarse_rounding"));
  for (std::size_t i = 0; i < declared.faults.size(); ++i) {  // limits are eight times as wide
    EXPECT_DOUBLE_EQ(declared.faults[i].effect_over_limit, plan.faults[i].effect_over_limit / 8.0);
    EXPECT_EQ(declared.faults[i].provable, plan.faults[i].effect_over_limit >= 80.0);
  }
  miss_loss_by(9.0);
  EXPECT_EQ(judge(plan, results, {"coarse_rounding"}).verdict, record::Verdict::mismatch);
  miss_loss_by(30.0);
  EXPECT_EQ(judge(plan, results, {}).diagnosis, "unknown");

  results = testing::run(plan, testing::rounding(3, testing::rate_inside()));
  miss_loss_by(3.0);
  EXPECT_THAT(judge(plan, results, {"momentum=rate_inside"}).diagnosis, StartsWith("coarse_rounding: "));
  EXPECT_THAT(judge(plan, results, {"momentum=rate_inside", "coarse_rounding"}).deviations,
              ElementsAre("momentum=rate_inside", "coarse_rounding"));
  EXPECT_THAT(judge(plan, results, {}).diagnosis, StartsWith("other_momentum_form: "));
}

TEST_F(Judge, WiderLimitsThatNothingNeedsAreNoDeviation) {
  const record::Certificate certificate = judge(plan, results, {"coarse_rounding"});
  EXPECT_EQ(certificate.verdict, record::Verdict::pass);
  EXPECT_THAT(certificate.deviations, IsEmpty());
  EXPECT_EQ(certificate.faults.front().effect_over_limit, plan.faults.front().effect_over_limit);
}

// A scheduler lets this or that layer race: the whole catalogue's race explains none of it.
TEST_F(Judge, ARaceOfOneLayerIsNamedWithIt) {
  for (const auto& [parameter, name] : {std::pair(2, "ip1.weight"), std::pair(4, "ip2.weight")}) {
    oracle::Arithmetic one;
    one.weight_race = true;
    one.racing_parameters = {static_cast<std::size_t>(parameter)};
    results = testing::run(plan, testing::rounding(3, one));
    EXPECT_EQ(judge(plan, results, {}).diagnosis,
              std::string("weight_race: ") + name + " is updated before the gradient below it is computed");
  }
  of("function.logits").front().logits[0][0] += 0.5;  // no race makes that
  EXPECT_EQ(judge(plan, results, {}).diagnosis, "unknown");
}

TEST(PartialRace, NamesEveryLayerThatRacesAndNoOther) {
  model::Builder builder("deep", {9});
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    builder.add(name, "dense", {{"out_features", model::count(7)}});
  }
  const Plan plan = make_plan(sample_work(builder.finish(), 12));
  oracle::Arithmetic some;
  some.weight_race = true;
  some.racing_parameters = {2, 6};  // b.weight and d.weight
  EXPECT_EQ(judge(plan, testing::run(plan, testing::rounding(3, some)), {}).diagnosis,
            "weight_race: b.weight, d.weight are updated before the gradient below them is computed");
}

TEST_F(Judge, ADeclarationExcusesNothingElse) {
  oracle::Arithmetic both = testing::ties_all();
  both.weight_race = true;
  results = testing::run(plan, testing::rounding(3, both));
  const record::Certificate certificate = judge(plan, results, {"ties_all"});
  EXPECT_EQ(certificate.verdict, record::Verdict::mismatch);
  // The race is named although every tied maximum moves the same numbers.
  EXPECT_THAT(certificate.diagnosis, StartsWith("weight_race: weights are updated"));
}

TEST_F(Judge, ADeclarationThatNothingShowsIsNoDeviation) {
  const record::Certificate certificate = judge(plan, results, {"momentum=rate_inside", "no-such-thing"});
  EXPECT_EQ(certificate.verdict, record::Verdict::pass);
  EXPECT_THAT(certificate.notes, ElementsAre(HasSubstr("'no-such-thing' is not known")));
  EXPECT_EQ(judge(plan, results, {"assisted"}).verdict, record::Verdict::pass_with_deviations);
}

TEST_F(Judge, RefusesResultsOfAnotherPlan) {
  results.pop_back();
  EXPECT_THROW((void)judge(plan, results, {}), base::Bug);
}

TEST(Unverified, TwoBatchesProveNoSteps) {
  Work work = sample_work(testing::small_net(), 12);
  work.batches.resize(2);
  const Plan plan = make_plan(work);
  EXPECT_EQ(plan.certified_steps, 0);
  EXPECT_EQ(timed_expectation(plan), nullptr);
  const record::Certificate certificate = judge(plan, testing::run(plan, {}), {});
  EXPECT_EQ(certificate.verdict, record::Verdict::unverified);
  EXPECT_THAT(certificate.reason, StartsWith("steps: 2 batches"));
  // What is wrong stays wrong: an unproved step is no excuse for a wrong function.
  const record::Certificate wrong =
      judge(plan, testing::run_with(plan, testing::fault("relu_on_logits"), 1), {});
  EXPECT_EQ(wrong.verdict, record::Verdict::mismatch);
}

// A rate of 2 makes single precision part from the truth within ten steps: the run is shortened until it does
// not.
TEST(Unverified, ChaosShortensTheRun) {
  Work work = sample_work(testing::small_net(), 12);
  work.recipe.rate.base = 2.0;
  const Plan plan = make_plan(work);
  EXPECT_LT(plan.certified_steps, 10);
  EXPECT_GE(plan.certified_steps, 3);
  EXPECT_EQ(testing::expectation(plan, "steps.constant").experiment.rates.size(),
            static_cast<std::size_t>(plan.certified_steps));
}

}  // namespace
}  // namespace dlbench::gate
