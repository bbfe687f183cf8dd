// An environment stays as it is while somebody uses it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include "frameworks/file_lock.hpp"
#include "frameworks/frameworks.hpp"
#include "frameworks/install_fixture.hpp"

namespace dlbench::frameworks {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class UseTest : public InstallTest {
 protected:
  [[nodiscard]] Installed use_now() { return use(world_.places(), world_.manifest("fake")); }

  // Runs `change` while `used` is held; returns only when it waited for that and then ended.
  template <class Change>
  static void change_while_used(std::optional<Installed> used, const Change& change) {
    std::atomic<bool> waits = false;
    std::atomic<bool> has_ended = false;
    std::thread other([&] {
      change([&](const std::string& line) { waits = waits || line.starts_with("waiting"); });
      has_ended = true;
    });
    while (!waits && !has_ended) {
      std::this_thread::yield();
    }
    EXPECT_TRUE(waits);
    EXPECT_FALSE(has_ended);
    used.reset();
    other.join();
  }
};

TEST_F(UseTest, AnInstallationWaitsForThoseThatUseIt) {
  world_.make_runner("fake");
  ASSERT_EQ(install_now("fake").state, State::ready);
  Installed used = use_now();
  ASSERT_EQ(used.state, State::ready);
  world_.write("runners/fake/extra.py", "x = 1\n");
  change_while_used(std::move(used), [&](const Log& log) {
    EXPECT_EQ(install(world_.places(), world_.manifest("fake"), {}, log).state, State::ready);
  });
  EXPECT_EQ(state_of("fake").state, State::ready);
}

TEST_F(UseTest, ARemovalWaitsForThem) {
  world_.make_runner("fake");
  ASSERT_EQ(install_now("fake").state, State::ready);
  change_while_used(use_now(), [&](const Log& log) {
    EXPECT_TRUE(fs::exists(folder("fake") / "READY"));
    EXPECT_TRUE(uninstall(world_.places(), "fake", "1.0", log));
  });
  EXPECT_EQ(state_of("fake").state, State::absent);
}

TEST_F(UseTest, WhatIsReadyIsToldWithoutWaiting) {
  world_.make_runner("fake");
  (void)install_now("fake");
  const Installed first = use_now();
  const Installed second = use_now();
  EXPECT_EQ(second.state, State::ready);
  log_.clear();
  EXPECT_EQ(install_now("fake").state, State::ready);
  EXPECT_THAT(log_, testing::IsEmpty());
}

TEST_F(UseTest, WhatIsBeingChangedIsNotStarted) {
  world_.make_runner("fake");
  (void)install_now("fake");
  const FileLock lock(folder("fake").string() + ".lock", [] {});
  const Installed state = use_now();
  EXPECT_EQ(state.state, State::broken);
  EXPECT_THAT(state.why_not, HasSubstr("is being installed or removed now"));
}

TEST_F(UseTest, WhatIsAbsentLeavesNothingBehind) {
  world_.make_runner("fake");
  EXPECT_EQ(use_now().state, State::absent);
  EXPECT_FALSE(fs::exists(world_.places().cache));
}

}  // namespace
}  // namespace dlbench::frameworks
