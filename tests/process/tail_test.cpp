#include "process/support.hpp"

namespace dlbench::process {
namespace {

std::string tail(const std::string& content, std::size_t bytes) {
  const testing::TemporaryFolder folder;
  std::ofstream(folder.file("text"), std::ios::binary) << content;
  return tail_of_file(folder.file("text"), bytes);
}

TEST(TailOfFile, ReturnsTheEnd) {
  EXPECT_EQ(tail("", 10), "");
  EXPECT_EQ(tail("abc", 10), "abc");
  EXPECT_EQ(tail("abcdef", 3), "def");
  EXPECT_EQ(tail(std::string(10'000, 'a') + "b", 6000), std::string(5999, 'a') + "b");
}

TEST(TailOfFile, MakesUtf8Valid) {
  EXPECT_EQ(tail("\xC3\xA4\xE2\x82\xAC", 100), "\xC3\xA4\xE2\x82\xAC");
  EXPECT_EQ(tail("a\xE2\x82\xAC", 2), "");                       // the cut character is dropped
  EXPECT_EQ(tail("x\xFFy", 100), "x\xEF\xBF\xBDy");              // never valid
  EXPECT_EQ(tail("\xC0\x80", 100), "\xEF\xBF\xBD\xEF\xBF\xBD");  // overlong
  EXPECT_EQ(tail("\xED\xA0\x80", 100), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");  // surrogate
  EXPECT_EQ(tail("\xE2\x82", 100), "\xEF\xBF\xBD\xEF\xBF\xBD");                  // ends too early
}

TEST(TailOfFile, IsEmptyForWhatIsNoFile) {
  EXPECT_EQ(tail_of_file("/nonexistent/file", 10), "");
  EXPECT_EQ(tail_of_file("/tmp", 10), "");
}

TEST(ExitStatusText, NamesKnownSignals) {
  EXPECT_EQ(to_text(ExitStatus{false, 0}), "exit code 0");
  EXPECT_EQ(to_text(ExitStatus{true, 6}), "signal 6 (SIGABRT)");
  EXPECT_EQ(to_text(ExitStatus{true, 40}), "signal 40");
}

TEST(FdTest, MovesOwnership) {
  Fd first(::dup(1));
  const int number = first.get();
  Fd second(std::move(first));
  EXPECT_EQ(second.get(), number);
  Fd third(::dup(1));
  third = std::move(second);
  EXPECT_EQ(third.get(), number);
  third.reset();
  EXPECT_FALSE(third.valid());
  EXPECT_EQ(::close(number), -1);  // closed exactly once already
}

}  // namespace
}  // namespace dlbench::process
