#include "gate/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/builder.hpp"

namespace dlbench::gate {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// max |x - truth| = 0.5 at element 1, max |truth| = 4.
TEST(Difference, IsRelativeToTheLargestRightValue) {
  const Difference difference = gate::difference({1.0, -4.0, 2.0}, {1.25, -3.5, 2.0}, 0.0);
  EXPECT_DOUBLE_EQ(difference.error, 0.125);
  EXPECT_EQ(difference.index, 1U);
  EXPECT_DOUBLE_EQ(difference.expected, -4.0);
  EXPECT_DOUBLE_EQ(difference.seen, -3.5);
}

// Terms of 1 round by 2^-24: 3 · 2^-24 is three of their round-offs, and so is it where the right value is
// one. Where it is two, it is a value of its own.
TEST(Difference, IsRelativeToTheTermsWhereNothingElseIsLeftOfThem) {
  constexpr double unit = 0x1.0p-24;
  EXPECT_DOUBLE_EQ(gate::difference({0.0, 0.0}, {0.0, 3.0 * unit}, unit).error, 3.0 * unit);
  EXPECT_DOUBLE_EQ(gate::difference({0.0, 0.5 * unit}, {0.0, 3.5 * unit}, unit).error, 3.0 * unit);
  EXPECT_DOUBLE_EQ(gate::difference({0.0, 2.0 * unit}, {0.0, 5.0 * unit}, unit).error, 1.5);
  EXPECT_DOUBLE_EQ(gate::difference({0.0}, {0.0}, 0.0).error, 0.0);
  EXPECT_DOUBLE_EQ(gate::difference({}, {}, 0.0).error, 0.0);
}

TEST(Difference, SizesAndNumbersMustAgree) {
  EXPECT_TRUE(std::isinf(gate::difference({1.0}, {1.0, 1.0}, 0.0).error));
  EXPECT_FALSE(gate::difference({1.0}, {}, 0.0).same_size);
  EXPECT_TRUE(std::isinf(gate::difference({1.0, 2.0}, {1.0, nan}, 0.0).error));
  EXPECT_TRUE(std::isinf(gate::difference({1.0, 2.0}, {infinity, 2.0}, 0.0).error));
  EXPECT_TRUE(std::isinf(gate::difference({nan}, {1.0}, 0.0).error));
  // A fault that overflows is reproduced by a runner that overflows at the same place.
  EXPECT_DOUBLE_EQ(gate::difference({nan, infinity}, {nan, infinity}, 0.0).error, 0.0);
  EXPECT_TRUE(std::isinf(gate::difference({infinity}, {-infinity}, 0.0).error));
}

Experiment one_parameter(Quantity quantity) {
  Experiment experiment;
  experiment.id = "known";
  experiment.quantity = quantity;
  experiment.graph =
      model::Builder("one", {2}).add("d", "dense", {{"out_features", model::count(2)}}).finish();
  experiment.weights = {{{2, 2}, {1.0F, 2.0F, 0.0F, 0.0F}}, {{2}, {0.5F, 0.0F}}};
  experiment.rates = {4.0};
  return experiment;
}

TEST(JudgedTensors, GradientIsTheStepOverTheRate) {
  const auto tensors =
      judged_tensors(one_parameter(Quantity::gradient), {{}, {}, {{-1.0, 4.0, 0.0, 0.0}, {0.5, 0.0}}});
  EXPECT_EQ(tensors[0], (oracle::Values{0.5, -0.5, 0.0, 0.0}));  // (1 - -1) / 4, (2 - 4) / 4
  EXPECT_EQ(tensors[1], (oracle::Values{0.0, 0.0}));
}

TEST(JudgedTensors, DeltaIsTheChangeNotTheWeight) {
  const auto tensors =
      judged_tensors(one_parameter(Quantity::delta), {{}, {}, {{1.25, 1.5, 0.0, 0.0}, {0.5, 0.0}}});
  EXPECT_EQ(tensors[0], (oracle::Values{0.25, -0.5, 0.0, 0.0}));
  EXPECT_EQ(judged_names(one_parameter(Quantity::delta)), (std::vector<std::string>{"d.weight", "d.bias"}));
  EXPECT_EQ(judged_names(one_parameter(Quantity::logits)), std::vector<std::string>{"d"});
}

Expectation known_expectation() {
  Expectation expectation;
  expectation.experiment = one_parameter(Quantity::delta);
  expectation.truth = {{}, {2.0}, {{2.0, 2.0, 0.0, 0.0}, {1.5, 0.0}}};  // delta {1, 0, 0, 0} and {1, 0}
  expectation.tensor_limits = {0.1, 0.1};
  expectation.tensor_scales = {0.0, 0.0};
  expectation.loss_limits = {0.01};
  return expectation;
}

TEST(Compare, ReportsTheWorstOfEachKind) {
  const auto checks = compare(known_expectation(), {{}, {2.01}, {{2.0, 2.05, 0.0, 0.0}, {1.7, 0.0}}});
  ASSERT_EQ(checks.size(), 2U);
  EXPECT_EQ(checks[0].quantity, "loss");
  EXPECT_NEAR(checks[0].error, 0.005, 1e-12);
  EXPECT_TRUE(checks[0].passed);
  EXPECT_EQ(checks[1].quantity, "delta");
  EXPECT_EQ(checks[1].tensor, "d.bias");
  EXPECT_NEAR(checks[1].error, 0.2, 1e-12);
  EXPECT_FALSE(checks[1].passed);
}

// (3, 4) has length 5, the differences (0.3, 0.4) length 0.5: 0.1; the largest is 0.4 of 4: 0.1 too. With all
// of it in one element (0.5, 0) the Euclidean error is the same, the largest 0.5 / 4.
TEST(Difference, EuclideanErrorsAreLengths) {
  EXPECT_NEAR(difference({3, 4}, {3.3, 4.4}, 0.0, Norm::euclidean).error, 0.1, 1e-12);
  EXPECT_NEAR(difference({3, 4}, {3.3, 4.4}, 0.0).error, 0.1, 1e-12);
  EXPECT_NEAR(difference({3, 4}, {3.5, 4.0}, 0.0, Norm::euclidean).error, 0.1, 1e-12);
  EXPECT_NEAR(difference({3, 4}, {3.5, 4.0}, 0.0).error, 0.125, 1e-12);
  EXPECT_EQ(difference({3, 4}, {3.5, 4.0}, 0.0, Norm::euclidean).index, 0U) << "the furthest is still named";
}

// Four zeros of terms 8 have terms of length 8 √4 = 16; a difference of length 0.2 is 0.0125 of it.
TEST(Difference, AZeroTensorIsJudgedByItsTerms) {
  constexpr double scale = 8.0 * 0x1.0p-24;
  EXPECT_NEAR(difference({0, 0, 0, 0}, {0.1, -0.1, 0.1, 0.1}, scale, Norm::euclidean).error, 0.0125, 1e-12);
  EXPECT_NEAR(difference({0, 0, 0, 0}, {0.1, -0.1, 0.1, 0.1}, scale).error, 0.0125, 1e-12);
  EXPECT_EQ(difference({0, 0}, {0, 0}, 0.0, Norm::euclidean).error, 0.0);
  EXPECT_EQ(difference({0, 0}, {nan, 0}, 1.0, Norm::euclidean).error, infinity);
}

TEST(Compare, TheExperimentSaysWhichError) {
  Expectation expectation = known_expectation();
  const Result seen = {{}, {2.0}, {{2.06, 2.08, 0.0, 0.0}, {1.5, 0.0}}};  // (0.06, 0.08) beside (1, 0, 0, 0)
  EXPECT_NEAR(compare(expectation, seen)[1].error, 0.08, 1e-12);
  expectation.experiment.norm = Norm::euclidean;
  EXPECT_NEAR(compare(expectation, seen)[1].error, 0.1, 1e-12);
}

TEST(Compare, AnInfiniteLimitJudgesNothing) {
  Expectation expectation = known_expectation();
  expectation.tensor_limits[1] = infinity;
  const Result seen = {{}, {2.0}, {{2.0, 2.0, 0.0, 0.0}, {nan, 0.0}}};
  EXPECT_TRUE(compare(expectation, seen)[1].passed);
  EXPECT_DOUBLE_EQ(error_over_limit(expectation, seen), 0.0);
}

TEST(Compare, NotANumberNeverPasses) {
  EXPECT_FALSE(compare(known_expectation(), {{}, {nan}, {{2.0, 2.0, 0.0, 0.0}, {1.5, 0.0}}})[0].passed);
  EXPECT_FALSE(compare(known_expectation(), {{}, {2.0}, {{nan, 2.0, 0.0, 0.0}, {1.5, 0.0}}})[1].passed);
}

}  // namespace
}  // namespace dlbench::gate
