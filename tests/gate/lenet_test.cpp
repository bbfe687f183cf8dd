// LeNet as it will be timed. One test, because the plan is the expensive part.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <set>
#include <string>

#include "gate/runs.hpp"
#include "gate/sample_work.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::gate {
namespace {

using testing::effect;
using ::testing::StartsWith;

// Correct frameworks of other roundings than those of the envelope.
void check_correct_runners(const Plan& plan) {
  double worst = 0.0;
  for (const std::uint64_t variation : {0U, 101U, 102U}) {
    const testing::Results results = testing::run(plan, testing::rounding(variation));
    worst = std::max(worst, testing::worst_error_over_limit(plan, results));
    const record::Certificate certificate = judge(plan, results, {});
    EXPECT_EQ(certificate.verdict, record::Verdict::pass) << variation << ": " << certificate.reason;
    EXPECT_EQ(certificate.certified_steps, plan.certified_steps);
    EXPECT_EQ(certificate.faults.size(), builtin_faults().size());
  }
  std::printf("worst float error: %.3f limits\n", worst);
  EXPECT_LT(worst, 0.5) << "the limits leave no room above honest rounding";
}

// LeNet's extents are even, it has one hidden layer and one plane, no dropout and no normalisation, and it is
// trained by plain momentum: such faults have a graph or recipe of their own.
bool cannot_exist_here(const std::string& id) {
  const Fault& fault = testing::fault(id);
  return fault.graph != "lenet" || fault.recipe != "sgd";
}

void check_provable_faults(const Plan& plan) {
  double smallest = 1e300;
  for (const record::FaultEffect& one : plan.faults) {
    const bool impossible = cannot_exist_here(one.fault);
    EXPECT_EQ(one.provable, !impossible) << one.fault << " " << one.effect_over_limit;
    EXPECT_EQ(to_text(one) == "not provable here", impossible) << one.fault;
    if (!impossible) {
      smallest = std::min(smallest, one.effect_over_limit);
      std::printf("%-22s %.3g limits\n", one.fault.c_str(), one.effect_over_limit);
    }
  }
  EXPECT_GT(smallest, 10.0);
}

void check_diagnoses(const Plan& plan) {
  for (const Fault& fault : builtin_faults()) {
    if (fault.graph != "lenet" || fault.recipe != "sgd") {
      continue;  // faults_test.cpp runs them where they show
    }
    const record::Certificate certificate = judge(plan, testing::run_with(plan, fault, 55), {});
    EXPECT_EQ(certificate.verdict, record::Verdict::mismatch) << fault.id;
    EXPECT_THAT(certificate.diagnosis, StartsWith(fault.id + ": ")) << certificate.reason;
    EXPECT_FALSE(certificate.reason.empty());
  }
}

TEST(LenetGate, PassesCorrectRunnersAndNamesEveryFault) {
  // Sixteen rows instead of 64: the timed batch differs from the verification batches and stays cheap.
  const Plan plan = make_plan(sample_work(zoo::lenet(), 16, 12));
  EXPECT_EQ(plan.unverified_reason, "");
  EXPECT_GE(plan.certified_steps, 5);
  EXPECT_EQ(plan.verification_margins, 0);
  ASSERT_NE(timed_expectation(plan), nullptr);
  EXPECT_EQ(timed_expectation(plan)->experiment.repeats, 3);
  check_correct_runners(plan);
  check_provable_faults(plan);
  check_diagnoses(plan);
}

}  // namespace
}  // namespace dlbench::gate
