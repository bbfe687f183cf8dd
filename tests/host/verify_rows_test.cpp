// Rows of `verify --ops` from what each graph gave.
#include "host/verify_rows.hpp"

#include <gmock/gmock.h>

namespace dlbench::host {
namespace {

using record::OutcomeKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

RowFinding finding(const std::string& op, const std::string& graph, OutcomeKind kind = OutcomeKind::ok,
                   const std::vector<std::string>& deviations = {}) {
  return {op, graph, {kind, kind == OutcomeKind::ok ? "" : "why"}, deviations, {}};
}

// The only operator of these findings.
RowSummary only(const std::vector<RowFinding>& findings) {
  const std::vector<RowSummary> summaries = summarise(findings);
  EXPECT_EQ(summaries.size(), 1U);
  return summaries.front();
}

TEST(VerifyOps, OneRowForEachOperatorInOrder) {
  const std::vector<RowSummary> rows =
      summarise({finding("tanh", "t1"), finding("tanh", "t2"), finding("add", "a1")});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].row, "tanh");
  EXPECT_EQ(rows[0].graphs, 2);
  EXPECT_EQ(rows[0].passed, 2);
  EXPECT_EQ(to_text(rows[0]), "PASS");
  EXPECT_EQ(rows[1].row, "add");
  EXPECT_THAT(rows[1].problems, IsEmpty());
}

TEST(VerifyOps, DeviationsAreNamedOnce) {
  const RowSummary row = only({finding("max_pool", "m1", OutcomeKind::ok, {"ties_all"}),
                               finding("max_pool", "m2", OutcomeKind::ok, {"ties_all", "other"})});
  EXPECT_EQ(to_text(row), "PASS with ties_all, other");
}

TEST(VerifyOps, UnsupportedAltogetherOrInPart) {
  EXPECT_EQ(to_text(only({finding("lrn", "l1", OutcomeKind::unsupported)})), "UNSUPPORTED");
  const RowSummary partly =
      only({finding("lrn", "l1", OutcomeKind::unsupported), finding("lrn", "l2"), finding("lrn", "l3")});
  EXPECT_EQ(to_text(partly), "PASS 2 of 3");
  EXPECT_THAT(partly.problems, ElementsAre(RowProblem{"l1", "UNSUPPORTED(why)", ""}));
}

// A wrong number is never hidden behind anything else.
TEST(VerifyOps, AMismatchOutweighsAllElse) {
  const RowSummary row =
      only({finding("lrn", "l1", OutcomeKind::mismatch), finding("lrn", "l2", OutcomeKind::crash),
            finding("lrn", "l3", OutcomeKind::unsupported), finding("lrn", "l4")});
  EXPECT_EQ(row.kind, OutcomeKind::mismatch);
  EXPECT_EQ(to_text(row), "MISMATCH");
  EXPECT_EQ(row.problems.size(), 3U);
  EXPECT_EQ(to_text(only(
                {finding("lrn", "l1", OutcomeKind::unsupported), finding("lrn", "l2", OutcomeKind::crash)})),
            "CRASH");
}

}  // namespace
}  // namespace dlbench::host
