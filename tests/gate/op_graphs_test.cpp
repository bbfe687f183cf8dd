// The gate on the small graphs that exercise every attribute of every operator.
#include <gtest/gtest.h>

#include "gate/runs.hpp"
#include "gate/sample_work.hpp"
#include "model/op_spec.hpp"

namespace dlbench::gate {
namespace {

TEST(OpGraphs, CorrectSinglePrecisionPasses) {
  double worst = 0.0;
  for (const model::OpSpec& op : model::builtin_ops()) {
    for (const model::Graph& graph : op.test_graphs()) {
      const Plan plan = make_plan(sample_work(graph, 6));
      EXPECT_EQ(plan.unverified_reason, "") << graph.name;
      for (const std::uint64_t variation : {0U, 77U, 78U}) {
        const testing::Results results = testing::run(plan, testing::rounding(variation));
        worst = std::max(worst, testing::worst_error_over_limit(plan, results));
        const record::Certificate certificate = judge(plan, results, {});
        EXPECT_EQ(certificate.verdict, record::Verdict::pass) << graph.name << ": " << certificate.reason;
      }
    }
  }
  std::printf("worst float error: %.3f limits\n", worst);
}

TEST(OpGraphs, AWrongFormulaFailsOnItsOwnGraph) {
  // The tie rule on every pooling graph that has a tie at all: a flat background gives one.
  const model::OpSpec* pool = model::find_op("max_pool");
  ASSERT_NE(pool, nullptr);
  for (const model::Graph& graph : pool->test_graphs()) {
    const Plan plan = make_plan(sample_work(graph, 6));
    const bool provable = testing::effect(plan.faults, "ties_to_all").provable;
    const record::Certificate certificate = judge(plan, testing::run(plan, testing::ties_all()), {});
    EXPECT_TRUE(!provable || certificate.verdict == record::Verdict::mismatch) << graph.name;
  }
}

}  // namespace
}  // namespace dlbench::gate
