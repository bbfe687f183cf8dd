#include "host/work_plan.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/parallel.hpp"
#include "gate/sample_work.hpp"
#include "model/builder.hpp"

namespace dlbench::host {
namespace {

namespace fs = std::filesystem;

gate::Work tiny_work() {
  return gate::sample_work(
      model::Builder("tiny", {4}).add("score", "dense", {{"out_features", model::count(3)}}).finish(), 6);
}

class WorkPlanTest : public ::testing::Test {
 protected:
  WorkPlanTest() {
    std::string name = (fs::temp_directory_path() / "dlbench-plan-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~WorkPlanTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  WorkPlan open() {
    return {CertificateCache(folder_), tiny_work(), [this] { ++computed_; }};
  }

  [[nodiscard]] fs::path file(const std::string& ending) const {
    for (const auto& entry : fs::directory_iterator(folder_ + "/oracle")) {
      if (entry.path().extension() == ending) {
        return entry.path();
      }
    }
    return {};
  }

  std::string folder_;
  int computed_ = 0;
};

TEST_F(WorkPlanTest, NothingIsComputedUntilItIsAskedFor) {
  EXPECT_EQ(open().key(), gate::plan_key(tiny_work()));
  EXPECT_EQ(computed_, 0);
  WorkPlan plan = open();
  EXPECT_EQ(plan.whole().key, plan.key());
  EXPECT_EQ(&plan.whole(), &plan.whole());
  EXPECT_EQ(computed_, 1);
  EXPECT_EQ(open().whole().expectations.size(), plan.whole().expectations.size());
  EXPECT_EQ(computed_, 1);
}

// The file of the timed steps is enough: a study with known certificates does not read the plan.
TEST_F(WorkPlanTest, TheTimedStepsNeedNoPlanOnceTheyAreKnown) {
  const auto first = open().take_timed();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->experiment.id, "timed.steps");
  EXPECT_LT(fs::file_size(file(".timed")), fs::file_size(file(".plan")));
  fs::remove(file(".plan"));
  const auto again = open().take_timed();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->truth.weights, first->truth.weights);
  EXPECT_EQ(again->tensor_limits, first->tensor_limits);
  EXPECT_EQ(computed_, 1);
}

// Minutes and gigabytes: of two that want it at once, one makes it and the other waits.
TEST_F(WorkPlanTest, TwoThatWantTheSamePlanAtOnceComputeItOnce) {
  const CertificateCache cache(folder_);
  const gate::Plan plan = gate::make_plan(tiny_work());
  std::atomic<int> made = 0;
  base::for_each_index(2, 2, [&](std::size_t, std::size_t) {
    const gate::Plan got = cache.plan(plan.key, [&] {
      ++made;
      std::this_thread::sleep_for(std::chrono::milliseconds(200));  // the other one surely comes meanwhile
      return plan;
    });
    EXPECT_EQ(got.expectations.size(), plan.expectations.size());
  });
  EXPECT_EQ(made, 1);
}

TEST_F(WorkPlanTest, ADamagedFileIsMadeAgain) {
  ASSERT_TRUE(open().take_timed());
  std::ofstream(file(".timed"), std::ios::trunc) << "dlbench-plan-2\nnothing";
  const auto timed = open().take_timed();
  ASSERT_TRUE(timed);
  EXPECT_EQ(timed->experiment.id, "timed.steps");
  EXPECT_EQ(computed_, 1);  // the plan itself was whole
}

}  // namespace
}  // namespace dlbench::host
