#include "process/command.hpp"

#include <gmock/gmock.h>

#include "process/support.hpp"

namespace dlbench::process {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

const std::vector<std::string> kPath{"PATH=/nonexistent:/usr/bin:/bin"};

TEST(RunCommand, LooksUpTheProgramAndAppendsToTheLog) {
  const testing::TemporaryFolder folder;
  const std::string log = folder.file("log");
  const auto first =
      run_command({"sh", "-c", "pwd; echo error >&2; exit 5"}, kPath, folder.path(), log, seconds(60));
  ASSERT_TRUE(first.has_value()) << first.error();
  EXPECT_EQ(to_text(*first), "exit code 5");
  const auto second =
      run_command({"/bin/sh", "-c", "echo ${HOME:-none} $DLBENCH_HOST"}, kPath, "", log, seconds(60));
  ASSERT_TRUE(second.has_value()) << second.error();
  EXPECT_EQ(testing::read_file(log),
            fmt::format("{}\nerror\nnone {}\n", std::filesystem::canonical(folder.path()).string(),
                        host_identity()));
}

TEST(RunCommand, NamesWhatIsMissing) {
  EXPECT_THAT(run_command({"no-such-tool"}, kPath, "", "", seconds(5)).error(), HasSubstr("'no-such-tool'"));
  EXPECT_THAT(run_command({"sh"}, {"PATH=."}, "/bin", "", seconds(5)).error(), HasSubstr("no program 'sh'"));
  EXPECT_THAT(run_command({"/nonexistent/tool"}, kPath, "", "", seconds(5)).error(),
              HasSubstr("/nonexistent/tool"));
  EXPECT_THAT(run_command({"sh"}, kPath, "/nonexistent/folder", "", seconds(5)).error(),
              HasSubstr("/nonexistent/folder"));
  EXPECT_THAT(run_command({"sh"}, kPath, "", "/nonexistent/log", seconds(5)).error(),
              HasSubstr("/nonexistent/log"));
}

TEST(RunCommand, PassesNoDescriptorOn) {
  const Fd leaked(::dup(1));  // without close-on-exec
  const std::string script = fmt::format("[ ! -e /proc/$$/fd/{} ]", leaked.get());
  EXPECT_EQ(run_command({"sh", "-c", script}, kPath, "", "", seconds(60))->code, 0);
}

// Started by a parent that has died meanwhile, dlbench-launch starts nothing; 127 is its own failure.
TEST(RunCommand, TheLauncherRefusesAnotherParent) {
  const testing::TemporaryFolder folder;
  const std::string script = "touch " + folder.file("ran");
  const auto run = [&](const std::string& parent) {
    return run_command({testing::launcher(), "--parent", parent, "--", "/bin/sh", "-c", script}, kPath, "",
                       "", seconds(60));
  };
  EXPECT_EQ(run("1")->code, 127);
  EXPECT_EQ(run("no number")->code, 127);
  EXPECT_FALSE(std::filesystem::exists(folder.file("ran")));
  EXPECT_EQ(run(std::to_string(::getpid()))->code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder.file("ran")));
}

TEST(RunCommand, TheLauncherRefusesBrokenOptions) {
  const std::string self = std::to_string(::getpid());
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{},
                                             {"--parent", self},
                                             {"--parent", self, "--"},
                                             {"--parent", self, "--cpus", "0,", "--", "/bin/true"},
                                             {"--parent", self, "--cpus", "a", "--", "/bin/true"},
                                             {"--parent", self, "--unknown", "1", "--", "/bin/true"},
                                             {"--parent", self, "--address-space", "-1", "--", "/bin/true"},
                                             {"--parent"}}) {
    std::vector<std::string> argv{testing::launcher()};
    argv.insert(argv.end(), options.begin(), options.end());
    EXPECT_EQ(run_command(argv, kPath, "", "", seconds(60))->code, 127)
        << fmt::format("{}", fmt::join(options, " "));
  }
}

TEST(RunCommand, KillsTheTreeAtTheTimeout) {
  become_reaper();
  const testing::TemporaryFolder folder;
  const std::string script = "(setsid sleep 1000 & echo $! > " + folder.file("pid") + "); sleep 1000";
  const auto status = run_command({"sh", "-c", script}, kPath, "", "", seconds(1));
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error(), "sh still running after 1 s");
  const int left = std::stoi(testing::read_file(folder.file("pid")));
  EXPECT_FALSE(read_process(left).has_value());
}

TEST(RunCommand, KillsWhatTheProgramLeftBehind) {
  become_reaper();
  const testing::TemporaryFolder folder;
  const std::string script = "sleep 1000 & echo $! > " + folder.file("pid");
  const auto status = run_command({"sh", "-c", script}, kPath, "", "", seconds(60));
  ASSERT_TRUE(status.has_value()) << status.error();
  EXPECT_EQ(status->code, 0);
  EXPECT_FALSE(read_process(std::stoi(testing::read_file(folder.file("pid")))).has_value());
}

}  // namespace
}  // namespace dlbench::process
