#include "bench/hand_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace dlbench::bench {
namespace {

using testing::ElementsAre;

host::Runner installed_runner(const std::string& name, const std::vector<std::string>& start) {
  host::Runner runner;
  runner.places.cache = "/cache";
  runner.manifest.name = name;
  runner.manifest.folder = "/runners/" + name;
  frameworks::VersionEntry entry;
  entry.version = "1";
  entry.start = start;
  runner.manifest.versions = {entry};
  runner.installed.state = frameworks::State::ready;
  runner.installed.version = "1";
  return runner;
}

// A runner that is measured against itself has no overhead.
TEST(HandProgram, TakesTheInterpreterOfTheRunnerButNotItsProgram) {
  const auto program =
      hand_program(installed_runner("torch7", {"{env}/bin/luajit", "{runner}/main.lua"}), {});
  ASSERT_TRUE(program) << program.error();
  EXPECT_THAT(*program, ElementsAre("/cache/frameworks/torch7/1/env/bin/luajit",
                                    DLBENCH_HAND_PROGRAMS "/torch7/main.lua"));
}

TEST(HandProgram, IsRefusedWhereNobodyWroteOne) {
  const auto program = hand_program(installed_runner("reference", {"{env}/bin/reference"}), {});
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error(), "there is no hand-written program of this framework");
}

TEST(HandProgram, HasAMainProgramInEveryFolder) {
  EXPECT_FALSE(hand_frameworks().empty());
  for (const std::string& name : hand_frameworks()) {
    const std::filesystem::path folder = std::filesystem::path(DLBENCH_HAND_PROGRAMS) / name;
    int count = 0;
    for (const char* main : {"CMakeLists.txt", "main.py", "main.lua"}) {
      count += std::filesystem::exists(folder / main) ? 1 : 0;
    }
    EXPECT_EQ(count, 1) << name;
  }
}

}  // namespace
}  // namespace dlbench::bench
