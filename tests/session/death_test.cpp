#include "session/death.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "process/support.hpp"

namespace dlbench::session {
namespace {

using process::testing::TemporaryFolder;

void write(const TemporaryFolder& root, const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(root.file(path)).parent_path());
  std::ofstream(root.file(path)) << text;
}

TEST(CountOomKills, ReadsCgroupVersion2) {
  const TemporaryFolder root;
  write(root, "proc/self/cgroup", "0::/user/a\n");
  write(root, "proc/vmstat", "nr_free_pages 5\noom_kill 100\n");
  write(root, "sys/fs/cgroup/user/a/memory.events", "low 0\nhigh 0\nmax 3\noom 1\noom_kill 7\n");
  EXPECT_EQ(count_oom_kills(root.path() + "/"), 7U);
}

TEST(CountOomKills, ReadsCgroupVersion1) {
  const TemporaryFolder root;
  write(root, "proc/self/cgroup", "5:cpu:/\n4:memory:/job\n0::/\n");
  write(root, "sys/fs/cgroup/memory/job/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
  EXPECT_EQ(count_oom_kills(root.path() + "/"), 2U);
}

TEST(CountOomKills, FallsBackToTheWholeMachineThenToNothing) {
  const TemporaryFolder root;
  EXPECT_FALSE(count_oom_kills(root.path() + "/").has_value());
  write(root, "proc/vmstat", "oom_kill 9\n");
  EXPECT_EQ(count_oom_kills(root.path() + "/"), 9U);
}

TEST(Classify, AKillByTheKernelForMemoryIsOom) {
  EXPECT_EQ(classify({{true, 9}, "train", "", true}).outcome, "OOM");
  EXPECT_EQ(classify({{true, 9}, "train", "", false}).outcome, "CRASH");
  EXPECT_EQ(classify({{true, 11}, "train", "", true}).outcome, "CRASH");  // another process's misfortune
}

TEST(Classify, LastWordsCountOnlyAtAFailedExit) {
  EXPECT_EQ(classify({{false, 1}, "load", "MemoryError\n", false}).outcome, "OOM");
  EXPECT_EQ(classify({{false, 0}, "load", "MemoryError\n", false}).outcome, "CRASH");
  const std::string earlier = "MemoryError handled\n" + std::string(500, 'x');
  EXPECT_EQ(classify({{false, 1}, "load", earlier, false}).outcome, "CRASH");
}

TEST(Classify, QuotesTheLastWordsOnOneLine) {
  EXPECT_EQ(classify({{false, 1}, "load", "a\nb\n\n", false}).reason,
            "exit code 1 during load; last output: a | b");
  EXPECT_EQ(classify({{false, 1}, "load", " \n", false}).reason, "exit code 1 during load");
}

}  // namespace
}  // namespace dlbench::session
