#include "report/text_table.hpp"

#include <gtest/gtest.h>

namespace dlbench::report {
namespace {

TextTable small() {
  TextTable table;
  table.columns = {{"name", Align::left, 3}, {"value", Align::right, 3}};
  table.rows = {{{"one two", "1"}, false}, {{"漢", "22"}, true}};
  return table;
}

TEST(TextTable, AlignsByDisplayWidth) {
  EXPECT_EQ(draw(small(), 80),
            "name     value\n"
            "──────────────\n"
            "one two      1\n"
            "──────────────\n"
            "漢          22\n");
}

TEST(TextTable, WrapsWhenNarrow) {
  EXPECT_EQ(least_width(small()), 4 + 2 + 5);
  EXPECT_EQ(draw(small(), 11),
            "name  value\n"
            "───────────\n"
            "one       1\n"
            "two\n"
            "───────────\n"
            "漢       22\n");
}

TEST(TextTable, TooNarrowIsWideNotCut) {
  EXPECT_EQ(draw(small(), 1), draw(small(), 11));
}

TEST(TextTable, EmptyTableHasOnlyTitles) {
  TextTable table;
  table.columns = {{"a", Align::left, 1}};
  EXPECT_EQ(draw(table, 10), "a\n");
}

}  // namespace
}  // namespace dlbench::report
