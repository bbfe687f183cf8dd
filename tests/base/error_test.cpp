#include "base/error.hpp"

#include <gmock/gmock.h>

#include <cerrno>

namespace dlbench::base {
namespace {

TEST(Error, ErrnoMessageNamesCallPathAndReason) {
  EXPECT_EQ(errno_message("open", "a/b", ENOENT), "open a/b: No such file or directory");
  EXPECT_EQ(errno_message("fork", "", EAGAIN), "fork: Resource temporarily unavailable");
}

TEST(Error, AssertionNamesConditionAndContext) {
  const int three = 3;
  EXPECT_THAT([&] { DLBENCH_ASSERT(three == 4, "arithmetic"); },
              ::testing::ThrowsMessage<Bug>(
                  ::testing::AllOf(::testing::HasSubstr("three == 4"), ::testing::HasSubstr("arithmetic"))));
  EXPECT_NO_THROW(DLBENCH_ASSERT(three == 3, ""));
}

TEST(Error, UserErrorKeepsPlaceAndHint) {
  const UserError error("unknown key", "a.yaml:3", "did you mean 'batch'?");
  EXPECT_STREQ(error.what(), "unknown key");
  EXPECT_EQ(error.where(), "a.yaml:3");
  EXPECT_EQ(error.hint(), "did you mean 'batch'?");
}

}  // namespace
}  // namespace dlbench::base
