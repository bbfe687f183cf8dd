// Whole outputs of the example study.
#include "report/golden.hpp"

#include <gtest/gtest.h>

#include "report/example.hpp"

namespace dlbench::report {
namespace {

TEST(Golden, TerminalWide) {
  expect_golden("report_wide.txt", terminal_table(example::study(2, 0), 200));
}
TEST(Golden, Terminal120) {
  expect_golden("report_120.txt", terminal_table(example::study(2, 0), 120));
}
TEST(Golden, Terminal80) {
  expect_golden("report_80.txt", terminal_table(example::study(2, 0), 80));
}
TEST(Golden, Csv) {
  expect_golden("report.csv", csv(example::study(2, 0)));
}
TEST(Golden, Json) {
  expect_golden("report.json", json(example::study(1, 3)));
}

}  // namespace
}  // namespace dlbench::report
