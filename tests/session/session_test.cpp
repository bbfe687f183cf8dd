#include "session/session.hpp"

#include <algorithm>
#include <csignal>

#include "base/error.hpp"
#include "session/support.hpp"

namespace dlbench::session {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::SessionTest;

TEST_F(SessionTest, HoldsAWholeConversation) {
  auto started = start("ok");
  ASSERT_TRUE(started.has_value()) << started.error().reason;
  Session& session = **started;
  EXPECT_EQ(session.description().runner, "scripted");
  EXPECT_EQ(session.description().input, "alias");
  EXPECT_THAT(session.description().ops, ElementsAre("dense"));
  EXPECT_THAT(session.description().json, HasSubstr("\"framework\":\"none\""));
  EXPECT_GT(session.start_ns(), 0);

  const auto loaded = session.load(testing::SessionTest::load_request());
  ASSERT_TRUE(loaded.has_value()) << loaded.error().reason;
  ASSERT_EQ(loaded->parameters.size(), 2U);
  EXPECT_EQ(loaded->parameters[0].first, "dense.weight");
  EXPECT_THAT(loaded->parameters[0].second, ElementsAre(10, 4));
  EXPECT_THAT(loaded->logits, ElementsAre(10));
  EXPECT_EQ(loaded->build_ns, 12345);
  EXPECT_EQ(loaded->effective.at(0).name, "threads");

  ASSERT_TRUE(session.put().has_value());
  const auto chunk = session.train(10, Drain::ends);
  ASSERT_TRUE(chunk.has_value()) << chunk.error().reason;
  EXPECT_EQ(chunk->steps, 10);
  EXPECT_EQ(chunk->last_loss, 0.25);
  EXPECT_EQ(session.arena().records().size(), 10U);
  const dlb_arena_header& header = session.arena().header();
  EXPECT_EQ(chunk->window_ns, header.window_end_ns - header.window_begin_ns);
  ASSERT_TRUE(session.get().has_value());
  const auto inferred = session.infer(2, Drain::each, true);
  ASSERT_TRUE(inferred.has_value()) << inferred.error().reason;
  EXPECT_FALSE(inferred->last_loss.has_value());
  const auto inspected = session.inspect();
  ASSERT_TRUE(inspected.has_value()) << inspected.error().reason;
  EXPECT_EQ(inspected->libraries_json, R"([{"file":"libopenblas.so.0"}])");
  EXPECT_TRUE(session.quit().has_value());
  EXPECT_EQ(session.put().error().outcome, "PROTOCOL");  // nobody is there any more
}

TEST_F(SessionTest, ALossThatIsNotFiniteIsEmpty) {
  auto session = start("nan-loss");
  ASSERT_TRUE(session.has_value()) << session.error().reason;
  const auto chunk = (*session)->train(3, Drain::ends);
  ASSERT_TRUE(chunk.has_value()) << chunk.error().reason;
  EXPECT_FALSE(chunk->last_loss.has_value());
}

TEST_F(SessionTest, ARefusedCommandIsNotTheEnd) {
  auto session = start("refuse", "load");
  ASSERT_TRUE(session.has_value()) << session.error().reason;
  const auto loaded = (*session)->load(load_request());
  ASSERT_FALSE(loaded.has_value());
  EXPECT_EQ(loaded.error().outcome, "UNSUPPORTED");
  EXPECT_EQ(loaded.error().reason, "op lstm");
  EXPECT_FALSE(loaded.error().fatal);
  EXPECT_TRUE((*session)->put().has_value());
  EXPECT_TRUE((*session)->quit().has_value());
}

TEST_F(SessionTest, TheNextSessionWorksAfterAFailure) {
  EXPECT_EQ(failure_of("segfault").outcome, "CRASH");
  EXPECT_EQ(failure_of("orphan-and-die").outcome, "CRASH");
  EXPECT_EQ(failure_of("ok").outcome, "OK");
}

TEST_F(SessionTest, AFailureIsRepeatedByLaterCommands) {
  auto session = start("exit-3", "put");
  ASSERT_TRUE(session.has_value()) << session.error().reason;
  const Failure first = (*session)->put().error();
  EXPECT_EQ((*session)->train(1, Drain::ends).error().reason, first.reason);
  EXPECT_EQ((*session)->quit().error().reason, first.reason);
}

TEST_F(SessionTest, KeepsTheRecordsBeforeADeath) {
  auto session = start("die-in-step");
  ASSERT_TRUE(session.has_value()) << session.error().reason;
  const auto chunk = (*session)->train(10, Drain::each);
  ASSERT_FALSE(chunk.has_value());
  EXPECT_EQ(chunk.error().outcome, "CRASH");
  EXPECT_THAT(chunk.error().reason, HasSubstr("signal 6 (SIGABRT) during train after 5 steps"));
  const auto records = (*session)->arena().records();
  ASSERT_EQ(records.size(), 5U);
  EXPECT_TRUE(std::all_of(records.begin(), records.end(), [](const dlb_step_record& record) {
    return record.begin_ns > 0 && record.end_ns >= record.begin_ns;
  }));
}

TEST_F(SessionTest, ReportsProgressOfAChunk) {
  auto session = start("slow-steps");
  ASSERT_TRUE(session.has_value()) << session.error().reason;
  std::vector<std::uint64_t> seen;
  (*session)->on_progress([&](std::uint64_t steps) { seen.push_back(steps); });
  ASSERT_TRUE((*session)->train(10, Drain::ends).has_value());
  EXPECT_FALSE(seen.empty());
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

TEST_F(SessionTest, AnAbandonedSessionLeavesNothing) {
  {
    auto session = start("setsid-orphan", "put");
    ASSERT_TRUE(session.has_value()) << session.error().reason;
    ASSERT_TRUE((*session)->put().has_value());
    EXPECT_TRUE(testing::eventually([&] { return testing::carriers(token_).size() == 2; }));
  }
  EXPECT_TRUE(testing::carriers(token_).empty());
}

TEST_F(SessionTest, SavesArenaAndCommandsForReplay) {
  keep_folder_ = folder_.file("keep/inner");
  auto session = start("ok");
  ASSERT_TRUE(session.has_value()) << session.error().reason;
  (*session)->arena().parameter_in(0)[0] = 1.5F;
  ASSERT_TRUE((*session)->put().has_value());
  ASSERT_TRUE((*session)->train(2, Drain::each, 1).has_value());
  EXPECT_EQ(testing::read_file(keep_folder_ + "/commands"),
            "{\"command\":\"put\",\"id\":1}\n"
            "{\"command\":\"train\",\"drain\":\"each\",\"id\":2,\"loss_every\":1,\"steps\":2}\n");
  const std::string arena = testing::read_file(keep_folder_ + "/arena");
  ASSERT_EQ(arena.size(), (*session)->arena().bytes());
  EXPECT_EQ(arena.substr(0, 8), "DLBARENA");
}

TEST_F(SessionTest, AnUnwritableReplayFolderIsTheUsersMistake) {
  keep_folder_ = "/proc/no-such-folder";
  EXPECT_THROW((void)start("ok"), base::UserError);
}

}  // namespace
}  // namespace dlbench::session
