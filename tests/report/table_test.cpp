// The rows that all tables share, and what terminal and CSV make of them.
#include <gtest/gtest.h>

#include <algorithm>

#include "report/case_rows.hpp"
#include "report/example.hpp"
#include "report/main_table.hpp"
#include "report/summary.hpp"
#include "report/text.hpp"

namespace dlbench::report {
namespace {

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + separator.size();
  }
  return lines;
}

TEST(CaseRows, NoneWithoutCases) {
  EXPECT_TRUE(case_rows(analysis::Analysis{}).empty());
  EXPECT_NE(terminal_table(ReportInput{}, 100).find("no case has been measured yet"), std::string::npos);
}

TEST(CaseRows, GroupsByThreadsInStudyOrder) {
  const ReportInput input = example::study(1, 0);
  const auto rows = case_rows(input.analysis);
  ASSERT_EQ(rows.size(), 16U);  // 8 frameworks at 2 thread counts; convergence cases are merged
  EXPECT_EQ(rows[0].label, "libtorch 1.13.1");
  EXPECT_EQ(rows[0].group, "1 thread");
  EXPECT_EQ(rows[7].label, "reference 1");
  EXPECT_EQ(rows[8].group, "2 threads");
}

TEST(CaseRows, InterleavedStudyOrderStillStandsTogether) {
  ReportInput input = example::study(1, 0);
  std::swap(input.analysis.cases[1], input.analysis.cases[9]);
  const auto rows = case_rows(input.analysis);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].group, i < 8 ? "1 thread" : "2 threads");
  }
}

TEST(CaseRows, ConvergenceAtOtherThreadsIsMarked) {
  const ReportInput input = example::study(1, 0);
  const auto rows = case_rows(input.analysis);
  EXPECT_TRUE(rows[0].accuracy_at_other_threads);
  EXPECT_FALSE(rows[8].accuracy_at_other_threads);
  EXPECT_EQ(rows[8].convergence->measured_case.study_phase, "convergence");
  EXPECT_EQ(rows[2].convergence, nullptr);
}

TEST(CaseRows, LoneConvergenceCaseIsARow) {
  ReportInput input = example::study(1, 0);
  input.analysis.cases.back().measured_case.framework = "only_trained";
  const auto rows = case_rows(input.analysis);
  ASSERT_EQ(rows.size(), 17U);
  EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [](const CaseRow& row) {
    return row.label == "only_trained 0.12.0.1" && row.timed == row.convergence;
  }));
}

TEST(CaseRows, LabelsNameTheFactorsThatDiffer) {
  ReportInput input = example::study(1, 0);
  analysis::CaseSummary twin = input.analysis.cases[0];
  twin.measured_case.factors["blas"] = "openblas";
  input.analysis.cases.push_back(twin);
  const auto rows = case_rows(input.analysis);
  EXPECT_EQ(rows[0].label, "libtorch 1.13.1 blas=");
  EXPECT_EQ(rows[8].label, "libtorch 1.13.1 blas=openblas");
}

TEST(MainTable, ReferenceIsTheYardstickAndNotRanked) {
  const ReportInput input = example::study(1, 0);
  const MainTable table = main_table(input.analysis);
  const MainRow& reference = table.lines[7];
  EXPECT_EQ(reference.cells[4].text, "not ranked");
  EXPECT_EQ(reference.cells[6].text, "yardstick");
  for (const MainRow& line : table.lines) {
    EXPECT_EQ(line.cells.size(), table.columns.size());
  }
}

TEST(MainTable, MismatchIsMarkedInEveryTable) {
  ReportInput input = example::study(1, 0);
  input.analysis.cases[5].medians["step_time_ns"] = 9e6;  // measured with --allow-mismatch
  EXPECT_EQ(case_names(input.analysis).at("keras-1-throughput"), "keras 2.2.4, 1 thread [MISMATCH]");
  EXPECT_EQ(main_table(input.analysis).lines[5].cells[10].text, "MISMATCH\u00a0×7");
  EXPECT_EQ(main_table(input.analysis).lines[5].cells[2].text, "9.000");
}

TEST(MainTable, FailedConvergenceIsANote) {
  ReportInput input = example::study(1, 0);
  input.analysis.cases.back().outcome = {record::OutcomeKind::nan, "loss"};
  const auto notes = table_notes(case_rows(input.analysis));
  EXPECT_NE(std::find(notes.begin(), notes.end(),
                      "jax 0.12.0.1 (1 thread; 2 threads): convergence at 2 threads: NAN(loss)"),
            notes.end());
}

TEST(MainTable, BaseWithoutANumberHasNoRatio) {
  ReportInput input = example::study(1, 0);
  EXPECT_EQ(main_table(input.analysis).lines[0].cells[3].text, "1");
  input.analysis.cases[0].medians.clear();
  EXPECT_EQ(main_table(input.analysis).lines[0].cells[3].text, "–");
}

TEST(MainTable, LegendHoldsOnlyUsedWords) {
  ReportInput input = example::study(1, 0);
  input.analysis.cases.resize(2);  // the base and one slower case
  const MainTable table = main_table(input.analysis);
  const auto legend = verdict_legend(table.rows, input.analysis.family);
  ASSERT_EQ(legend.size(), 1U);
  EXPECT_EQ(legend[0].word, "slower");
}

TEST(Summary, SaysVerdictsInSentences) {
  const auto sentences = summary_sentences(example::study(1, 0).analysis);
  EXPECT_EQ(
      sentences[0],
      "Same work: 12 of 16 cases passed the gate before they were timed, 2 of them with declared deviations; "
      "2 did not; 2 have no certificate.");
  EXPECT_EQ(sentences[1], "At 1 thread: libtorch 1.13.1 is the base: 16.84 ms a step [16.67, 17.09].");
  EXPECT_EQ(sentences[2],
            "At 1 thread: jax 0.12.0.1 is slower than libtorch: 1.52 × the step time [1.49, 1.55].");
  EXPECT_EQ(sentences[6], "At 1 thread: keras 2.2.4: not ranked: MISMATCH.");
}

class TerminalWidth : public testing::TestWithParam<int> {};

TEST_P(TerminalWidth, HidesNoRowAndKeepsTheWidth) {
  const std::string text = terminal_table(example::study(2, 0), GetParam());
  for (const std::string& line : split(text, "\n")) {
    EXPECT_LE(display_width(line), GetParam()) << line;
  }
  for (const char* name :
       {"libtorch", "jax", "tensorflow", "theano", "torch7", "keras", "singa", "reference"}) {
    std::size_t count = 0;
    for (const std::string& line : split(text, "\n")) {
      count += line.starts_with(name) ? 1U : 0U;
    }
    EXPECT_GE(count, 2U) << name;
  }
}
INSTANTIATE_TEST_SUITE_P(Widths, TerminalWidth, testing::Values(80, 90, 100, 110, 120, 140, 200));

TEST(Terminal, NeutralisesHostileText) {
  const std::string text = terminal_table(example::hostile_study(example::hostile_text()), 120);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x01'), std::string::npos);
  EXPECT_EQ(text.find("\xe2\x80\xae"), std::string::npos);
}

// A reader of RFC 4180, written here so that the writer is not checked against itself.
std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  std::vector<std::vector<std::string>> records(1, std::vector<std::string>(1));
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string& field = records.back().back();
    if (quoted) {
      if (text[i] != '"') {
        field += text[i];
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        field += text[++i];
      } else {
        quoted = false;
      }
    } else if (text[i] == '"') {
      quoted = true;
    } else if (text[i] == ',') {
      records.back().emplace_back();
    } else if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
      ++i;
      records.emplace_back(1);
    } else {
      field += text[i];
    }
  }
  records.pop_back();
  return records;
}

TEST(Csv, EveryRecordHasEveryField) {
  for (const auto& input : {example::study(1, 0), example::hostile_study(example::hostile_text())}) {
    const auto records = read_csv(csv(input));
    ASSERT_EQ(records.size(), input.analysis.cases.size() + 1);
    for (const auto& record : records) {
      EXPECT_EQ(record.size(), records[0].size());
      for (const std::string& field : record) {
        EXPECT_FALSE(field.starts_with("=")) << field;
      }
    }
  }
}

TEST(Csv, ColumnsCarryUnitsAndValuesAreUnscaled) {
  const auto records = read_csv(csv(example::study(1, 0)));
  const auto column = [&records](const std::string& name) {
    return static_cast<std::size_t>(std::find(records[0].begin(), records[0].end(), name) -
                                    records[0].begin());
  };
  ASSERT_LT(column("step_time_ns"), records[0].size());
  EXPECT_EQ(records[1][column("step_time_ns")], "16840000");
  EXPECT_EQ(records[2][column("step_time_to_base_ratio")], "1.52");
  EXPECT_EQ(records[7][column("step_time_ns")], "");  // not installed
  EXPECT_LT(column("test_accuracy_ratio"), records[0].size());
}

}  // namespace
}  // namespace dlbench::report
