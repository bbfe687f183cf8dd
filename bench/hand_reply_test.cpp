#include "bench/hand_reply.hpp"

#include <gtest/gtest.h>

namespace dlbench::bench {
namespace {

TEST(HandReply, ReadsTimeAndLoss) {
  const auto chunk = parse_hand_reply("301250000 0.5\n");
  ASSERT_TRUE(chunk);
  EXPECT_EQ(chunk->window_ns, 301'250'000);
  EXPECT_EQ(chunk->loss, 0.5);
  EXPECT_EQ(parse_hand_reply("1 2.5e-01\n")->loss, 0.25);
}

TEST(HandReply, RefusesWhatIsNotExactlyOneReply) {
  for (const char* line : {"", "\n", "5\n", "5 \n", "5 0.5", "5  0.5\n", " 5 0.5\n", "5 0.5 \n",
                           "5 0.5\n6 0.5\n", "5.5 0.5\n", "x 0.5\n", "5 x\n", "99999999999999999999 0.5\n"}) {
    EXPECT_FALSE(parse_hand_reply(line)) << '"' << line << '"';
  }
}

// A clock that ran backwards or a training that went wrong must not become a ratio.
TEST(HandReply, RefusesNumbersThatCannotBe) {
  for (const char* line : {"0 0.5\n", "-5 0.5\n", "3600000000001 0.5\n", "5 nan\n", "5 inf\n", "5 1e999\n"}) {
    EXPECT_FALSE(parse_hand_reply(line)) << line;
  }
}

}  // namespace
}  // namespace dlbench::bench
