// What may be ranked, and what missing, failed and invalid runs do to a verdict.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/error.hpp"
#include "literal_runs.hpp"

namespace dlbench::analysis {
namespace {

using record::OutcomeKind;
using testing::base_times;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Literal;
using ::testing::Pair;
using testing::times;

const std::vector<double> clearly_faster{0.90, 0.91, 0.89, 0.92, 0.905, 0.895, 0.90};

class Ranking : public ::testing::Test {
 protected:
  Ranking() {
    study_.add_case_with_runs("base", base_times);
    study_.add_case_with_runs("x", times(base_times, clearly_faster));
    study_.compare("x");
  }
  record::Run& run_of(const std::string& id, int block) {
    for (record::Run& run : study_.runs) {
      if (run.case_id == id && run.block == block) {
        return run;
      }
    }
    throw std::logic_error("no such run");
  }
  void fail_all(const std::string& id, OutcomeKind kind) {
    for (int block = 0; block < 7; ++block) {
      run_of(id, block).outcome = {kind, "why"};
    }
  }
  [[nodiscard]] Verdict verdict() const { return study_.row("x").verdict; }

  Literal study_;
};

TEST(Analyse, OfNothing) {
  const Analysis analysis = analyse(Family{}, {}, {}, {});
  EXPECT_THAT(analysis.cases, IsEmpty());
  EXPECT_THAT(analysis.warnings, IsEmpty());
}

TEST(Analyse, OfCasesWithoutRuns) {
  Literal study;
  study.add_case("base");
  study.add_case("x");
  study.add_case("reference");
  study.compare("x");
  EXPECT_EQ(study.row("x").verdict.text, "not ranked: no run stored");
  EXPECT_EQ(study.row("base").verdict.text, "not ranked: no run stored");
  EXPECT_EQ(study.row("reference").verdict.text, "reference");
  EXPECT_EQ(study.row("x").run_count, 0);
  EXPECT_EQ(record::to_text(study.row("x").outcome), "INVALID(no run stored)");
  EXPECT_THAT(study.row("x").outcome_counts, IsEmpty());
}

TEST_F(Ranking, BaseIsMarkedAndHasNoVerdict) {
  const CaseSummary base = study_.row("base");
  EXPECT_TRUE(base.is_base);
  EXPECT_EQ(base.verdict.word, Word::no_verdict);
  EXPECT_EQ(base.verdict.text, "base");
  EXPECT_FALSE(study_.row("x").is_base);
  EXPECT_THAT(study_.analyse().warnings, IsEmpty());
}

TEST_F(Ranking, OneVersionIsTheBaseOfAnother) {
  study_.family.base = "x 2.0";
  for (record::Case& one : study_.cases) {
    one.framework = "x";
    one.version = one.id == "base" ? "2.0" : "1.0";
  }
  EXPECT_TRUE(study_.row("base").is_base);
  EXPECT_FALSE(study_.row("x").is_base);
  study_.add_failure("x", 0, record::OutcomeKind::crash);
  EXPECT_THAT(study_.analyse().warnings, Contains(HasSubstr("x 1.0 (lenet, batch 64, 1 thread)")));
}

TEST_F(Ranking, CasesOutsideTheFamilyHaveNoVerdict) {
  study_.add_case_with_runs("z", base_times);
  EXPECT_EQ(study_.row("z").verdict.text, "not in the family");
}

TEST_F(Ranking, MediansAndIntervalsOfEveryMetric) {
  for (record::Run& run : study_.runs) {
    run.metrics.push_back(
        {"cpu_ratio", run.block == 0 ? std::numeric_limits<double>::quiet_NaN() : run.block * 1.0});
  }
  const CaseSummary base = study_.row("base");
  EXPECT_EQ(base.run_count, 7);
  EXPECT_EQ(base.medians.at("step_time_ns"), 1005.0);
  // Seven values: first and last order statistic, 1 - 2/128. Six finite ones: 1 - 2/64.
  EXPECT_EQ(base.intervals.at("step_time_ns").low, 990.0);
  EXPECT_EQ(base.intervals.at("step_time_ns").high, 1030.0);
  EXPECT_NEAR(base.intervals.at("step_time_ns").level, 1.0 - 2.0 / 128, 1e-12);
  EXPECT_EQ(base.medians.at("cpu_ratio"), 3.5);
  EXPECT_NEAR(base.intervals.at("cpu_ratio").level, 1.0 - 2.0 / 64, 1e-12);
}

TEST_F(Ranking, AMismatchIsNeverRanked) {
  study_.certificates["x"].verdict = record::Verdict::mismatch;
  EXPECT_EQ(verdict().text, "not ranked: MISMATCH");
  EXPECT_FALSE(verdict().ratio);
}

// The check after the window found one wrong run: the six others may be wrong where nobody looked.
TEST_F(Ranking, OneMismatchedRunSpoilsTheCase) {
  run_of("x", 3).outcome = {OutcomeKind::mismatch, "fc1"};
  EXPECT_EQ(verdict().text, "not ranked: MISMATCH");
  EXPECT_EQ(record::to_text(study_.row("x").outcome), "MISMATCH(fc1)");
}

TEST_F(Ranking, AMismatchThatWasMeasuredStillShowsItsNumbers) {
  fail_all("x", OutcomeKind::mismatch);
  EXPECT_EQ(study_.row("x").run_count, 0);
  EXPECT_NEAR(study_.row("x").medians.at("step_time_ns"), 909.0, 15.0);
  EXPECT_EQ(verdict().word, Word::no_verdict);
}

TEST_F(Ranking, NoCertificateNoRank) {
  study_.certificates.erase("x");
  EXPECT_EQ(verdict().text, "not ranked: no certificate");
  study_.certificates["x"] = Literal::certificate("x", record::Verdict::unverified);
  EXPECT_EQ(verdict().text, "not ranked: UNVERIFIED");
}

// Some work of assisted runners is their own code, but the numbers are the recipe's; ties_all trains
// otherwise.
TEST_F(Ranking, ADeviationWithAnotherFormulaIsRankedWhereTheStudyAcceptsIt) {
  record::Certificate& certificate = study_.certificates["x"];
  certificate.verdict = record::Verdict::pass_with_deviations;
  certificate.deviations = {"assisted", "coarse_rounding"};
  EXPECT_EQ(verdict().text, "faster");
  certificate.deviations = {"never_heard_of"};
  EXPECT_EQ(verdict().text, "not ranked: deviation never_heard_of");
  certificate.deviations = {"assisted", "ties_all"};
  EXPECT_EQ(verdict().text, "not ranked: deviation ties_all");
  study_.family.accepted_deviations = {"ties_all"};
  EXPECT_EQ(verdict().text, "faster");
}

TEST_F(Ranking, ABaseThatFailsTakesAllVerdicts) {
  study_.certificates["base"].verdict = record::Verdict::mismatch;
  EXPECT_EQ(verdict().text, "no verdict: the base is MISMATCH");
  EXPECT_EQ(study_.row("base").verdict.text, "not ranked: MISMATCH");
}

TEST_F(Ranking, AFrameworkThatIsNotInstalledIsARow) {
  fail_all("x", OutcomeKind::not_installed);
  const CaseSummary row = study_.row("x");
  EXPECT_EQ(row.verdict.text, "not ranked: NOT_INSTALLED");
  EXPECT_THAT(row.outcome_counts, ElementsAre(Pair("NOT_INSTALLED", 7)));
}

TEST_F(Ranking, ACrashInOneBlockLeavesSixPairs) {
  run_of("x", 2).outcome = {OutcomeKind::crash, "signal 11 SIGSEGV"};
  const Analysis analysis = study_.analyse();
  const CaseSummary row = Literal::row_of(analysis, "x");
  EXPECT_EQ(row.verdict.text, "faster");
  EXPECT_EQ(row.verdict.ratio->n, 6);
  EXPECT_EQ(row.run_count, 6);
  EXPECT_EQ(record::to_text(row.outcome), "CRASH(signal 11 SIGSEGV)");
  EXPECT_THAT(row.outcome_counts, ElementsAre(Pair("CRASH", 1), Pair("OK", 6)));
  EXPECT_THAT(analysis.warnings, Contains(HasSubstr("6 of 7 blocks are paired")));
  EXPECT_THAT(analysis.warnings, Contains(HasSubstr("x (lenet, batch 64, 1 thread): of 7 runs 1 CRASH")));
}

TEST_F(Ranking, MissingBlocksAreNotPaired) {
  std::erase_if(study_.runs, [](const record::Run& run) {
    return (run.case_id == "base" && run.block < 2) || (run.case_id == "x" && run.block == 6);
  });
  EXPECT_EQ(verdict().ratio->n, 4);
  EXPECT_EQ(verdict().text, "cannot be shown with 4 runs (6 needed)");
}

TEST_F(Ranking, RunsWithoutACommonBlockHaveNoVerdict) {
  std::erase_if(study_.runs,
                [](const record::Run& run) { return (run.case_id == "base") == (run.block < 3); });
  EXPECT_EQ(verdict().text, "no verdict: no block has a ranked run of both");
}

TEST_F(Ranking, MetricsThatAreAbsentOrImpossibleAreNotPaired) {
  run_of("x", 0).metrics.clear();
  run_of("x", 1).metrics[0].value = 0.0;
  run_of("x", 2).metrics[0].value = -5.0;
  run_of("x", 3).metrics[0].value = std::numeric_limits<double>::infinity();
  EXPECT_EQ(verdict().ratio->n, 3);
}

// Block 2 was repeated because x was INVALID; the base's run of the same attempt is its partner.
TEST_F(Ranking, ARepeatedBlockCountsOnceWithItsLastAttempt) {
  run_of("x", 2).outcome = {OutcomeKind::invalid, "steal 5 %"};
  run_of("base", 2).metrics[0].value = 1.0;
  study_.add_run("x", 2, 895.0, 1);
  study_.add_run("base", 2, 1000.0, 1);
  const CaseSummary row = study_.row("x");
  EXPECT_EQ(row.run_count, 7);
  EXPECT_EQ(row.invalid_count, 1);
  EXPECT_EQ(record::to_text(row.outcome), "OK");
  EXPECT_NEAR(row.verdict.ratio->ratio, 0.90, 0.01);
  EXPECT_EQ(study_.row("base").run_count, 7);
  EXPECT_EQ(study_.row("base").medians.at("step_time_ns"), 1005.0);
}

// A crash in the attempt that counts is not healed by an earlier attempt that was repeated for another's
// sake.
TEST_F(Ranking, ARepeatIsNoSecondChance) {
  study_.add_failure("x", 2, OutcomeKind::crash, 1);
  study_.add_run("base", 2, 1000.0, 1);
  EXPECT_EQ(verdict().ratio->n, 6);
}

// 1 of 16 runs INVALID (6 %), and keeping it changes nothing.
TEST_F(Ranking, AFewInvalidRunsAreReported) {
  run_of("x", 2).outcome = {OutcomeKind::invalid, "steal 5 %"};
  study_.add_run("x", 2, 895.0, 1);
  study_.add_run("base", 2, 1000.0, 1);
  const Analysis analysis = study_.analyse();
  EXPECT_EQ(Literal::row_of(analysis, "x").verdict.text, "faster");
  EXPECT_THAT(analysis.warnings,
              Contains(HasSubstr("6.2 % of the pair's runs were INVALID; with them kept: ratio 0.90")));
}

// With the invalid run kept (x very slow in block 2) the rank sum against "faster" is 7: p = 1 instead of
// 1/64.
TEST_F(Ranking, NoVerdictWhenKeepingInvalidRunsChangesIt) {
  run_of("x", 2).outcome = {OutcomeKind::invalid, "steal 5 %"};
  run_of("x", 2).metrics[0].value = 9000.0;
  study_.add_run("x", 2, 895.0, 1);
  study_.add_run("base", 2, 1000.0, 1);
  EXPECT_EQ(verdict().word, Word::no_verdict);
  EXPECT_EQ(verdict().text, "no verdict: 'faster' becomes 'no difference shown' when INVALID runs are kept");
  EXPECT_TRUE(verdict().ratio);
}

// An INVALID run without a number cannot be kept; the repeat stands for it.
TEST_F(Ranking, InvalidRunsWithoutAValueCannotBeKept) {
  run_of("x", 2).outcome = {OutcomeKind::invalid, "suspend"};
  run_of("x", 2).metrics.clear();
  study_.add_run("x", 2, 895.0, 1);
  study_.add_run("base", 2, 1000.0, 1);
  EXPECT_EQ(verdict().text, "faster");
}

// 2 of 18 runs = 11.1 %.
TEST_F(Ranking, NoVerdictWhenMoreThanATenthWasDiscarded) {
  for (const int block : {2, 4}) {
    run_of("x", block).outcome = {OutcomeKind::invalid, "steal"};
    study_.add_run("x", block, 895.0, 1);
    study_.add_run("base", block, 1000.0, 1);
  }
  EXPECT_EQ(verdict().word, Word::no_verdict);
  EXPECT_EQ(verdict().text, "no verdict: 11.1 % of the runs were INVALID (at most 10 %)");
}

TEST_F(Ranking, ABlockThatStaysInvalidIsTheOutcome) {
  run_of("x", 2).outcome = {OutcomeKind::invalid, "steal 5 %"};
  EXPECT_EQ(record::to_text(study_.row("x").outcome), "INVALID(steal 5 %)");
  EXPECT_EQ(study_.row("x").run_count, 6);
}

TEST_F(Ranking, ShareOfTheReferenceIsPairedByBlock) {
  study_.add_case_with_runs("reference", times(base_times, {0.5}));
  EXPECT_NEAR(study_.row("base").share_of_reference.value(), 0.5, 1e-12);
  // Median of 0.5 / ratio: 0.5 / 0.90.
  EXPECT_NEAR(study_.row("x").share_of_reference.value(), 0.5 / 0.90, 1e-12);
  const CaseSummary reference = study_.row("reference");
  EXPECT_FALSE(reference.share_of_reference);
  EXPECT_EQ(reference.verdict.text, "reference");
  EXPECT_FALSE(reference.is_base);
}

TEST_F(Ranking, ShareNeedsTheSameWorkAndAPassingReference) {
  study_.add_case_with_runs("reference", base_times);
  study_.cases.back().threads = 2;
  EXPECT_FALSE(study_.row("x").share_of_reference);
  study_.cases.back().threads = 1;
  EXPECT_TRUE(study_.row("x").share_of_reference);
  study_.certificates["reference"].verdict = record::Verdict::mismatch;
  EXPECT_FALSE(study_.row("x").share_of_reference);
  study_.certificates["reference"].verdict = record::Verdict::pass;
  study_.certificates["x"].verdict = record::Verdict::mismatch;
  EXPECT_FALSE(study_.row("x").share_of_reference);
}

TEST_F(Ranking, TheReferenceIsRefusedInTheFamily) {
  study_.add_case_with_runs("reference", base_times);
  study_.compare("reference");
  EXPECT_THROW(static_cast<void>(study_.analyse()), base::UserError);
  study_.family.pairs = {{"x", "reference"}};
  EXPECT_THROW(static_cast<void>(study_.analyse()), base::UserError);
}

TEST_F(Ranking, UnknownCasesInTheFamilyCountAndHarmNobody) {
  study_.compare("gone");
  study_.family.pairs.emplace_back("base", "gone too");
  EXPECT_EQ(verdict().text, "faster");
  EXPECT_EQ(verdict().holm_p, 3.0 * 2.0 / 128.0);
  EXPECT_EQ(study_.row("base").verdict.text, "no verdict: the base is not stored");
}

TEST_F(Ranking, RunsOfUnknownCasesAreIgnored) {
  study_.add_run("stranger", 0, 1.0);
  EXPECT_EQ(study_.analyse().cases.size(), 2U);
}

TEST_F(Ranking, OrderOfCasesIsKeptAndOrderOfRunsDoesNotMatter) {
  const Verdict before = verdict();
  std::reverse(study_.runs.begin(), study_.runs.end());
  EXPECT_EQ(verdict().ratio->ratio, before.ratio->ratio);
  EXPECT_EQ(verdict().text, before.text);
  EXPECT_EQ(study_.analyse().cases[0].measured_case.id, "base");
}

}  // namespace
}  // namespace dlbench::analysis
