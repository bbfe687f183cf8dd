// Plans of inference, and classes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gate/gate.hpp"
#include "gate/runs.hpp"
#include "gate/sample_work.hpp"
#include "gate/top_one.hpp"

namespace dlbench::gate {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Work inference_work() {
  Work work = sample_work(testing::small_net(), 32, 5);
  work.task = record::Task::inference;
  return work;
}

class Inference : public ::testing::Test {
 protected:
  const Plan plan = make_plan(inference_work());
};

TEST_F(Inference, ComparesLogitsAndClassesOnly) {
  const record::Certificate certificate = judge(plan, testing::run(plan, testing::rounding(33)), {});
  EXPECT_EQ(certificate.verdict, record::Verdict::pass) << certificate.reason;
  EXPECT_EQ(certificate.certified_steps, 0);
  std::vector<std::string> seen;
  for (const record::Check& check : certificate.checks) {
    seen.push_back(check.experiment + " " + check.quantity);
  }
  EXPECT_THAT(seen, ElementsAre("function.logits logits", "data.order logits", "inference.logits logits",
                                "inference.logits top-1", "timed.logits logits", "inference.partial logits",
                                "inference.partial top-1"));
}

// Eight batches of 32 are 256 samples; all are loaded as 32 rows are timed, the partial batch beside them.
TEST_F(Inference, LooksAt256SamplesAtTheTimedShape) {
  const Experiment& whole = testing::expectation(plan, "inference.logits").experiment;
  EXPECT_EQ(whole.batches.size(), 8U);
  EXPECT_EQ(whole.recipe.batch, 32);
  const Experiment& partial = testing::expectation(plan, "inference.partial").experiment;
  EXPECT_EQ(partial.batches.front().input.shape[0], 5);
  EXPECT_EQ(partial.recipe.batch, 32);
  ASSERT_NE(timed_expectation(plan), nullptr);
  EXPECT_EQ(timed_expectation(plan)->experiment.batches.size(), 1U);
}

TEST(InferencePlan, SaysWhenThereAreFewerSamples) {
  Work work = sample_work(testing::small_net(), 12);
  work.task = record::Task::inference;
  EXPECT_THAT(make_plan(work).notes, Contains(HasSubstr("classes of 120 samples")));
}

TEST(InferencePlan, IsAnotherPlanThanThatOfTraining) {
  Work work = inference_work();
  const std::string key = plan_key(work);
  work.task = record::Task::training;
  EXPECT_NE(plan_key(work), key);
}

TEST_F(Inference, NamesAFaultOfTheFunction) {
  const record::Certificate certificate =
      judge(plan, testing::run_with(plan, testing::fault("transposed_weight"), 5), {});
  EXPECT_EQ(certificate.verdict, record::Verdict::mismatch);
  EXPECT_THAT(certificate.diagnosis, HasSubstr("transposed_weight"));
}

// Two rows of two classes with limit 0.01 on logits of up to 10: 0.1 each, so a lead up to 0.2 may turn.
class TopOne : public ::testing::Test {
 protected:
  static std::int64_t others(const oracle::Values& truth, const oracle::Values& seen) {
    Expectation expectation;
    expectation.experiment.graph =
        model::Builder("g", {3}).add("score", "dense", {{"out_features", model::count(2)}}).finish();
    expectation.truth.logits = {truth};
    expectation.tensor_limits = {0.01};
    expectation.tensor_scales = {0.0};
    return other_classes(expectation, {{seen}, {}, {}});
  }
};

TEST_F(TopOne, CountsRowsWhoseLargestIsAnother) {
  EXPECT_EQ(others({10, 1, 2, 3}, {10, 1, 2, 3}), 0);
  EXPECT_EQ(others({10, 1, 2, 3}, {1, 10, 2, 3}), 1);
  EXPECT_EQ(others({10, 1, 2, 3}, {1, 10, 3, 2}), 2);
}

TEST_F(TopOne, NearTiesMayTurn) {
  EXPECT_EQ(others({10, 1, 3, 3.19}, {10, 1, 3.1, 3.09}), 0);
  EXPECT_EQ(others({10, 1, 3, 3.21}, {10, 1, 3.11, 3.1}), 1);
}

TEST_F(TopOne, NotANumberIsNoClass) {
  EXPECT_EQ(others({10, 1, 2, 3}, {10, NAN, 2, 3}), 1);
  EXPECT_EQ(others({10, 1, 2, 3}, {10, 1}), 2) << "another size";
}

}  // namespace
}  // namespace dlbench::gate
