#include <fcntl.h>
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/mman.h>

#include <csignal>
#include <set>

#include "process/support.hpp"

namespace dlbench::process {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::carriers;
using testing::eventually;
using ::testing::HasSubstr;

class LaunchTest : public ::testing::Test {
 protected:
  void SetUp() override { become_reaper(); }

  LaunchSpec spec(std::vector<std::string> command) {
    LaunchSpec made;
    made.launcher = testing::launcher();
    made.command = std::move(command);
    made.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
    made.run_token = token_;
    made.output_path = folder_.file("output");
    return made;
  }
  LaunchSpec shell(const std::string& script) { return spec({"/bin/sh", "-c", script}); }

  // Runs to the end and returns what was printed.
  std::string output_of(const LaunchSpec& spec) {
    const auto child = launch(spec);
    EXPECT_TRUE(child.has_value()) << (child ? "" : child.error());
    if (!child) {
      return {};
    }
    const auto status = (*child)->wait(seconds(60));
    EXPECT_TRUE(status && !status->signalled && status->code == 0) << testing::read_file(spec.output_path);
    return testing::read_file(spec.output_path);
  }

  // Open in a command that has begun; killed afterwards. It stops itself, because while its libraries are
  // loaded one more file is open.
  static std::set<std::string> descriptors_of(LaunchSpec spec) {
    std::set<std::string> names;
    spec.command = {"/bin/sh", "-c", "kill -STOP $$"};
    const auto child = launch(spec);
    EXPECT_TRUE(child.has_value());
    if (child) {
      const std::string stat = fmt::format("/proc/{}/stat", (*child)->pid());
      EXPECT_TRUE(eventually([&] { return testing::read_file(stat).find(") T ") != std::string::npos; }));
      for (const auto& item :
           std::filesystem::directory_iterator(fmt::format("/proc/{}/fd", (*child)->pid()))) {
        names.insert(item.path().filename());
      }
    }
    return names;
  }

  testing::TemporaryFolder folder_;
  std::string token_ = testing::unique_token("launch");
};

TEST_F(LaunchTest, ReportsExitCode) {
  const auto child = launch(shell("exit 3"));
  ASSERT_TRUE(child.has_value()) << child.error();
  const auto status = (*child)->wait(seconds(60));
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(to_text(*status), "exit code 3");
  const ExitStatus again = (*child)->kill_tree();
  EXPECT_FALSE(again.signalled);
  EXPECT_EQ(again.code, 3);
  EXPECT_EQ((*child)->kill_tree().code, 3);
}

TEST_F(LaunchTest, ReportsSignal) {
  const auto child = launch(shell("kill -SEGV $$"));
  ASSERT_TRUE(child.has_value()) << child.error();
  const auto status = (*child)->wait(seconds(60));
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(to_text(*status), "signal 11 (SIGSEGV)");
}

TEST_F(LaunchTest, NamesAMissingCommand) {
  const auto child = launch(spec({"/nonexistent/runner"}));
  ASSERT_FALSE(child.has_value());
  EXPECT_THAT(child.error(), HasSubstr("exec /nonexistent/runner: No such file or directory"));
}

TEST_F(LaunchTest, NamesAMissingLauncherFolderAndOutput) {
  LaunchSpec broken = shell("exit 0");
  broken.launcher = "/nonexistent/dlbench-launch";
  EXPECT_THAT(launch(broken).error(), HasSubstr("/nonexistent/dlbench-launch"));
  broken = shell("exit 0");
  broken.working_directory = "/nonexistent/folder";
  EXPECT_THAT(launch(broken).error(), HasSubstr("chdir /nonexistent/folder"));
  broken = shell("exit 0");
  broken.output_path = "/nonexistent/output";
  EXPECT_THAT(launch(broken).error(), HasSubstr("/nonexistent/output"));
  broken = shell("exit 0");
  broken.environment.emplace_back("A=1\0B=2", 7);
  EXPECT_THAT(launch(broken).error(), HasSubstr("NUL"));
}

TEST_F(LaunchTest, InheritsNoEnvironment) {
  LaunchSpec clean = spec({"/usr/bin/env"});
  clean.environment = {"ONE=1", "DLBENCH_RUN=forged", "TWO=2"};
  EXPECT_EQ(output_of(clean),
            fmt::format("DLBENCH_RUN={}\nDLBENCH_HOST={}\nONE=1\nTWO=2\n", token_, host_identity()));
}

TEST_F(LaunchTest, HandsOverExactlyTheDescriptors) {
  // Created in one order and handed over in the other: copying 3 must not destroy what becomes 4.
  const Fd first(::memfd_create("first", 0));
  const Fd second(::memfd_create("second", 0));
  const Fd leaked(::open("/dev/null", O_RDONLY));  // without close-on-exec
  ASSERT_EQ(::pwrite(first.get(), "arena\n", 6, 0), 6);
  ASSERT_EQ(::pwrite(second.get(), "socket\n", 7, 0), 7);
  LaunchSpec both = shell("cat <&3; cat <&4");
  both.socket_fd = second.get();
  both.arena_fd = first.get();
  EXPECT_EQ(output_of(both), "socket\narena\n");
  EXPECT_EQ(descriptors_of(both), (std::set<std::string>{"0", "1", "2", "3", "4"}));
  EXPECT_EQ(descriptors_of(shell("")), (std::set<std::string>{"0", "1", "2"}));
}

TEST_F(LaunchTest, SetsFolderSessionAndLimits) {
  LaunchSpec limited = shell("pwd; ulimit -c; ulimit -v; cut -d' ' -f6 /proc/$$/stat; echo $$");
  limited.working_directory = folder_.path();
  limited.address_space_max_bytes = 512ULL << 20U;
  const std::string output = output_of(limited);
  const std::string expected =
      fmt::format("{}\n0\n524288\n", std::filesystem::canonical(folder_.path()).string());
  ASSERT_EQ(output.substr(0, expected.size()), expected);
  // The session's number is the process's own.
  const std::string rest = output.substr(expected.size());
  EXPECT_EQ(rest.substr(0, rest.find('\n') + 1), rest.substr(rest.find('\n') + 1));
}

TEST_F(LaunchTest, BindsTheTreeToCpus) {
  cpu_set_t allowed;
  ASSERT_EQ(::sched_getaffinity(0, sizeof allowed, &allowed), 0);
  int last = -1;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    last = CPU_ISSET(static_cast<std::size_t>(cpu), &allowed) ? cpu : last;
  }
  LaunchSpec bound = shell("sh -c 'grep Cpus_allowed_list /proc/self/status'");
  bound.cpus = {last};
  EXPECT_EQ(output_of(bound), fmt::format("Cpus_allowed_list:\t{}\n", last));
  bound.cpus = {last, 8000};  // the kernel alone would quietly take the first one
  EXPECT_THAT(launch(bound).error(), HasSubstr("sched_setaffinity"));
}

TEST_F(LaunchTest, WaitGivesUpWithoutHarm) {
  const auto child = launch(shell("exec sleep 1000"));
  ASSERT_TRUE(child.has_value()) << child.error();
  EXPECT_FALSE((*child)->wait(milliseconds(20)).has_value());
  EXPECT_EQ(carriers(token_), std::vector<int>{(*child)->pid()});
  EXPECT_TRUE((*child)->kill_tree().signalled);
  EXPECT_TRUE(carriers(token_).empty());
}

TEST_F(LaunchTest, DestructorKillsWhatIgnoresSignals) {
  {
    const auto child = launch(shell("trap '' TERM INT HUP QUIT; sleep 1000 & sleep 1000; sleep 1000"));
    ASSERT_TRUE(child.has_value()) << child.error();
    ASSERT_TRUE(eventually([&] { return carriers(token_).size() == 3; }));
  }
  EXPECT_TRUE(carriers(token_).empty());
}

TEST_F(LaunchTest, KillsGrandchildrenOfADeadChild) {
  const auto child = launch(shell("(setsid sleep 1000 &); sleep 1000 & exit 0"));
  ASSERT_TRUE(child.has_value()) << child.error();
  ASSERT_TRUE((*child)->wait(seconds(60)).has_value());
  EXPECT_TRUE(eventually([&] { return carriers(token_).size() == 2; }));
  (void)(*child)->kill_tree();
  EXPECT_TRUE(carriers(token_).empty());
}

TEST_F(LaunchTest, FindsAnOrphanThatDroppedItsEnvironment) {
  const std::string script = "(env -i /usr/bin/setsid /bin/sh -c 'echo $$ > " + folder_.file("pid") +
                             "; exec /bin/sleep 1000' &); exit 0";
  const auto child = launch(shell(script));
  ASSERT_TRUE(child.has_value()) << child.error();
  ASSERT_TRUE((*child)->wait(seconds(60)).has_value());
  ASSERT_TRUE(eventually([&] { return testing::read_file(folder_.file("pid")).size() > 1; }));
  const int orphan = std::stoi(testing::read_file(folder_.file("pid")));
  ASSERT_TRUE(carriers(token_).empty());
  // Handed to this process when the shell between had gone.
  ASSERT_TRUE(eventually([&] { return read_process(orphan)->parent == ::getpid(); }));
  (void)(*child)->kill_tree();
  EXPECT_FALSE(read_process(orphan).has_value());  // killed, and not left as a zombie
}

TEST_F(LaunchTest, KillingOneRunSparesAnother) {
  const auto first = launch(shell("exec sleep 1000"));
  LaunchSpec other = shell("(setsid sleep 1000 &); exec sleep 1000");
  other.run_token = testing::unique_token("other");
  other.output_path = folder_.file("other");
  const auto second = launch(other);
  ASSERT_TRUE(first && second);
  ASSERT_TRUE(eventually([&] { return carriers(other.run_token).size() == 2; }));
  (void)(*first)->kill_tree();
  EXPECT_TRUE(carriers(token_).empty());
  EXPECT_EQ(carriers(other.run_token).size(), 2U);
}

TEST_F(LaunchTest, ParallelRunsKeepTheirOwnStatus) {
  std::vector<std::thread> hosts;
  std::vector<std::string> found(4);
  for (int i = 0; i < 4; ++i) {
    LaunchSpec mine = shell(fmt::format("(setsid sleep 1000 &); exit {}", 10 + i));
    mine.run_token = testing::unique_token("parallel");
    mine.output_path = folder_.file(fmt::format("output{}", i));
    hosts.emplace_back([mine, &text = found[static_cast<std::size_t>(i)]] {
      for (int round = 0; round < 3; ++round) {
        const auto child = launch(mine);
        const auto status = child ? (*child)->wait(seconds(60)) : std::nullopt;
        text += status ? to_text(*status) + ";" : "failed;";
      }
    });
  }
  for (std::thread& host : hosts) {
    host.join();
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string once = fmt::format("exit code {};", 10 + i);
    EXPECT_EQ(found[i], once + once + once);
  }
}

TEST_F(LaunchTest, StopsAFloodOfOutput) {
  LaunchSpec flood = shell("exec yes");
  flood.output_max_bytes = 100'000;
  const auto child = launch(flood);
  ASSERT_TRUE(child.has_value()) << child.error();
  const auto status = (*child)->wait(seconds(60));
  ASSERT_TRUE(status.has_value());
  EXPECT_EQ(to_text(*status), "signal 9 (SIGKILL)");
  EXPECT_TRUE((*child)->output_flooded());
  EXPECT_TRUE(carriers(token_).empty());
}

TEST_F(LaunchTest, TruncatesTheOutputOfAnEarlierRun) {
  EXPECT_EQ(output_of(shell("echo a long first line")), "a long first line\n");
  EXPECT_EQ(output_of(shell("echo short >&2")), "short\n");
}

}  // namespace
}  // namespace dlbench::process
