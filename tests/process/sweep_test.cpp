#include <csignal>

#include "process/support.hpp"

namespace dlbench::process {
namespace {

using testing::carriers;
using testing::eventually;

LaunchSpec shell(const testing::TemporaryFolder& folder, const std::string& token,
                 const std::string& script) {
  LaunchSpec spec;
  spec.launcher = testing::launcher();
  spec.command = {"/bin/sh", "-c", script};
  spec.environment = {"PATH=/usr/bin:/bin"};
  spec.run_token = token;
  spec.output_path = folder.file("output");
  return spec;
}

std::vector<std::string> names_of(const std::vector<int>& pids) {
  std::vector<std::string> names;
  for (const int pid : pids) {
    const std::string name = testing::read_file(fmt::format("/proc/{}/comm", pid));
    names.push_back(name.substr(0, name.find('\n')));
  }
  return names;
}

TEST(Sweep, KillsByToken) {
  become_reaper();
  const testing::TemporaryFolder folder;
  const std::string token = testing::unique_token("sweep");
  const auto child = launch(shell(folder, token, "(setsid sleep 1000 &); exec sleep 1000"));
  ASSERT_TRUE(child.has_value()) << child.error();
  ASSERT_TRUE(eventually([&] { return carriers(token).size() == 2; }));
  EXPECT_GE(sweep(token), 2);  // a shell between the two may still have been there
  EXPECT_TRUE(carriers(token).empty());
  EXPECT_EQ(sweep(token), 0);
}

TEST(Sweep, SparesTheRunsOfALivingHost) {
  become_reaper();
  const testing::TemporaryFolder folder;
  const std::string token = testing::unique_token("living");
  const auto child = launch(shell(folder, token, "exec sleep 1000"));
  ASSERT_TRUE(child.has_value()) << child.error();
  (void)sweep();
  EXPECT_EQ(carriers(token).size(), 1U);
}

// The runner itself dies with its host at once (parent-death signal); its detached grandchild stays for the
// sweep.
TEST(Sweep, CleansUpAfterAKilledHost) {
  become_reaper();
  const testing::TemporaryFolder folder;
  const std::string token = testing::unique_token("orphaned");
  LaunchSpec host = shell(folder, testing::unique_token("host"), "");
  host.command = {std::string(DLBENCH_BINARY_DIR) + "/bin/process_test_host", host.launcher, token,
                  folder.file("runner-output")};
  const auto child = launch(host);
  ASSERT_TRUE(child.has_value()) << child.error();
  // The shells between have gone and both are past their exec, in which a process shows no environment.
  const auto settled = [&] {
    return names_of(carriers(token)) == std::vector<std::string>{"sleep", "sleep"};
  };
  ASSERT_TRUE(eventually(settled)) << testing::read_file(host.output_path);
  const auto printed = [&] { return testing::read_file(host.output_path).find('\n') != std::string::npos; };
  ASSERT_TRUE(eventually(printed));
  const int runner = std::stoi(testing::read_file(host.output_path));
  ASSERT_EQ(::kill((*child)->pid(), SIGKILL), 0);
  ASSERT_TRUE((*child)->wait(std::chrono::seconds(60)).has_value());
  const auto gone = [&] {
    const auto entry = read_process(runner);
    return !entry || entry->dead();
  };
  EXPECT_TRUE(eventually(gone)) << "the runner outlived its host";
  (void)sweep();  // how many it killed is not asserted: tests in parallel sweep for each other
  EXPECT_TRUE(carriers(token).empty());
}

TEST(ProcScan, ParsesNamesWithParenthesesAndBlanks) {
  const auto entry = parse_stat(
      "77 (a) R (b c) S 5 76 75 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 424242 1000 10 18446744073709551615 "
      "1 2 3 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 4 5 6 7 8 9 10 0\n");
  ASSERT_TRUE(entry.has_value());
  EXPECT_EQ(entry->pid, 77);
  EXPECT_EQ(entry->state, 'S');
  EXPECT_EQ(entry->parent, 5);
  EXPECT_EQ(entry->session, 75);
  EXPECT_EQ(entry->threads, 1);
  EXPECT_EQ(entry->start_ticks, 424242U);
  EXPECT_FALSE(entry->in_exec);
}

// A process without the end of an environment (field 51) is replacing itself, unless it never has one.
TEST(ProcScan, TellsAProcessThatReplacesItself) {
  const auto in_exec = [](unsigned flags, std::uint64_t environment_end) {
    const auto entry = parse_stat(fmt::format(
        "77 (a) S 5 76 75 0 -1 {} 1 2 3 4 5 6 7 8 20 0 1 0 424242 1000 10 18446744073709551615 1 2 3 0 0 0 0 "
        "0 0 0 0 0 17 1 0 0 0 0 0 4 5 6 7 8 9 {} 0\n",
        flags, environment_end));
    return entry.has_value() && entry->in_exec;
  };
  EXPECT_TRUE(in_exec(0x400000, 0));
  EXPECT_FALSE(in_exec(0x400000, 140735426047979));
  EXPECT_FALSE(in_exec(0x400004, 0)) << "exiting";
  EXPECT_FALSE(in_exec(0x200040, 0)) << "a thread of the kernel";
}

TEST(ProcScan, AZombieWithThreadsLives) {
  ProcessEntry entry;
  entry.state = 'Z';
  entry.threads = 2;
  EXPECT_FALSE(entry.dead());
  entry.threads = 1;
  EXPECT_TRUE(entry.dead());
}

TEST(ProcScan, RefusesBrokenText) {
  EXPECT_FALSE(parse_stat("").has_value());
  EXPECT_FALSE(parse_stat("77 (a").has_value());
  EXPECT_FALSE(parse_stat("77 (a) S 5 76").has_value());
  EXPECT_FALSE(parse_stat("77 (a) S 5 76 75 0 -1 0 1 2 3 4 5 6 7 8 20 0 1 0 424242").has_value());
  EXPECT_FALSE(
      parse_stat("x (a) S 5 76 75 0 -1 0 1 2 3 4 5 6 7 8 20 0 1 0 424242 1 2 3 4 5 6 7 8 9 10 11 12 13 14 "
                 "15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30")
          .has_value());
}

TEST(ProcScan, TellsALivingHostFromAnotherProcessWithItsNumber) {
  const std::string own = host_identity();
  EXPECT_FALSE(host_is_gone(own));
  EXPECT_TRUE(host_is_gone(own + "0"));    // same number, another start time
  EXPECT_TRUE(host_is_gone("4194305:1"));  // above the kernel's largest number, 2^22
}

// Nobody is killed for a text that says nothing.
TEST(ProcScan, AnUnreadableIdentityIsNotGone) {
  for (const char* text : {"", "12", "a:b", "12:", ":12", "-1:5", "0:5"}) {
    EXPECT_FALSE(host_is_gone(text)) << text;
  }
}

TEST(ProcScan, ReadsOnlyWholeVariables) {
  using namespace std::string_view_literals;
  EXPECT_EQ(variable_in("A=1\0DLBENCH_HOST=12:345\0"sv, "DLBENCH_HOST"), "12:345");
  EXPECT_EQ(variable_in("A=1\0DLBENCH_HOST=12:345"sv, "DLBENCH_HOST"), std::nullopt) << "perhaps cut off";
  EXPECT_EQ(variable_in("XDLBENCH_HOST=1\0DLBENCH_HOSTS=2\0"sv, "DLBENCH_HOST"), std::nullopt);
  EXPECT_EQ(variable_in(""sv, "A"), std::nullopt);
}

}  // namespace
}  // namespace dlbench::process
