#include "report/text.hpp"

#include <gtest/gtest.h>

namespace dlbench::report {
namespace {

constexpr const char* mark = "\xEF\xBF\xBD";  // U+FFFD

TEST(CleanText, KeepsValidText) {
  EXPECT_EQ(clean_text("", Lines::keep), "");
  EXPECT_EQ(clean_text("a ÷ 漢 🙂", Lines::keep), "a ÷ 漢 🙂");
  EXPECT_EQ(clean_text("a\n\tb", Lines::keep), "a\n\tb");
  EXPECT_EQ(clean_text("a\r\n\tb", Lines::join), "a  b");
}

TEST(CleanText, ReplacesControlAndDirectionCharacters) {
  EXPECT_EQ(clean_text("\x1b[2J", Lines::keep), std::string(mark) + "[2J");
  EXPECT_EQ(clean_text(std::string("a\0b", 3), Lines::keep), std::string("a") + mark + "b");
  EXPECT_EQ(clean_text("\x7f\xc2\x85", Lines::keep), std::string(mark) + mark);  // DEL and C1 NEL
  EXPECT_EQ(clean_text("\xe2\x80\xae", Lines::keep), mark);                      // U+202E
  EXPECT_EQ(clean_text("\xe2\x80\xa8\xe2\x80\xa9", Lines::keep), std::string(mark) + mark);
  EXPECT_EQ(clean_text("a\rb", Lines::keep), std::string("a") + mark + "b");
}

// Table 3-8 of the Unicode standard: each maximal subpart of an ill-formed sequence is one U+FFFD.
TEST(CleanText, ReplacesEachMaximalSubpart) {
  EXPECT_EQ(clean_text("\xc0\xaf", Lines::keep), std::string(mark) + mark);             // overlong
  EXPECT_EQ(clean_text("\xed\xa0\x80", Lines::keep), std::string(mark) + mark + mark);  // surrogate
  EXPECT_EQ(clean_text("\xf4\x90\x80\x80", Lines::keep),
            std::string(mark) + mark + mark + mark);  // above 10FFFF
  EXPECT_EQ(clean_text("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", Lines::keep),
            std::string(mark) + mark + mark + mark + "A");
  EXPECT_EQ(clean_text("a\xe6\xbc", Lines::keep), std::string("a") + mark);  // cut off at the end
}

TEST(DisplayWidth, CountsColumns) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("×÷±"), 3);
  EXPECT_EQ(display_width("漢字"), 4);
  EXPECT_EQ(display_width("🙂"), 2);
  EXPECT_EQ(display_width("e\xcc\x81"), 1);  // e and a combining acute
}

TEST(WrapText, BreaksAtSpaces) {
  EXPECT_EQ(wrap_text("", 5), (std::vector<std::string>{""}));
  EXPECT_EQ(wrap_text("ab cd ef", 5), (std::vector<std::string>{"ab cd", "ef"}));
  EXPECT_EQ(wrap_text("ab  cd", 10), (std::vector<std::string>{"ab cd"}));
}

TEST(WrapText, CutsLongWordsAtCharacters) {
  EXPECT_EQ(wrap_text("abcdefg", 3), (std::vector<std::string>{"abc", "def", "g"}));
  EXPECT_EQ(wrap_text("漢字漢", 5), (std::vector<std::string>{"漢字", "漢"}));
  EXPECT_EQ(wrap_text("漢", 1), (std::vector<std::string>{"漢"}));  // wider than the line: still shown
}

TEST(WrapText, KeepsUnbreakableSpaces) {
  EXPECT_EQ(wrap_text("1.5 " + unbreakable("[1.4, 1.6]"), 10),
            (std::vector<std::string>{"1.5", "[1.4, 1.6]"}));
}

}  // namespace
}  // namespace dlbench::report
