// Installers that are processes of their own: two at once, and killed in the middle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "frameworks/install_fixture.hpp"

namespace dlbench::frameworks {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

pid_t install_in_child(const test::RunnerWorld& world, const std::string& name) {
  const Places& places = world.places();
  std::vector<std::string> words{DLBENCH_INSTALLER, places.runners,  places.sdk,
                                 places.cache,      places.launcher, name};
  std::vector<char*> argv;
  for (std::string& word : words) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);
  pid_t child = -1;
  EXPECT_EQ(posix_spawn(&child, argv[0], nullptr, nullptr, argv.data(), environ), 0);
  return child;
}

int exit_code(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST_F(InstallTest, TwoAtOnceDoNotHarmEachOther) {
  world_.make_runner("fake");
  // Would show a second run in the same folder.
  world_.write("runners/fake/prepare", "#!/bin/sh\nmkdir \"$1/once\" && sleep 0.3\n", true);
  const pid_t first = install_in_child(world_, "fake");
  const pid_t second = install_in_child(world_, "fake");
  EXPECT_EQ(exit_code(first), 0);
  EXPECT_EQ(exit_code(second), 0);
  EXPECT_EQ(state_of("fake").state, State::ready);
}

// Starts an installation and kills the installer once its `prepare` has made the file half.
void break_off(const test::RunnerWorld& world, const fs::path& folder) {
  const pid_t child = install_in_child(world, "fake");
  const fs::path half = folder / "env" / "half";
  for (int i = 0; i < 6000 && !fs::exists(half); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ASSERT_TRUE(fs::exists(half));
  kill(child, SIGKILL);
  EXPECT_EQ(exit_code(child), 1000 + SIGKILL);
}

TEST_F(InstallTest, KilledInstallLeavesNothingHalfUsable) {
  world_.make_runner("fake");
  world_.write("runners/fake/prepare", "#!/bin/sh\ntouch \"$1/half\"\nexec sleep 60\n", true);
  break_off(world_, folder("fake"));
  EXPECT_FALSE(fs::exists(folder("fake") / "READY"));
  EXPECT_EQ(state_of("fake").state, State::broken);
  EXPECT_THAT(state_of("fake").why_not, HasSubstr("broken off"));
  world_.write("runners/fake/prepare", "#!/bin/sh\ntouch \"$1/whole\"\n", true);
  EXPECT_EQ(install_now("fake").state, State::ready);
  EXPECT_FALSE(fs::exists(folder("fake") / "env" / "half"));
  EXPECT_TRUE(fs::exists(folder("fake") / "env" / "whole"));
}

// What the killed installer had started goes on writing until somebody ends it.
TEST_F(InstallTest, UninstallEndsWhatAKilledInstallLeftRunning) {
  world_.make_runner("fake");
  world_.write("runners/fake/prepare",
               "#!/bin/sh\nwhile :; do mkdir -p \"$1\"; touch \"$1/half\"; sleep 0.01; done\n", true);
  break_off(world_, folder("fake"));
  EXPECT_TRUE(uninstall_now("1.0"));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_FALSE(fs::exists(folder("fake")));
}

}  // namespace
}  // namespace dlbench::frameworks
