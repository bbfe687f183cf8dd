#include "base/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <stdexcept>
#include <vector>

namespace dlbench::base {
namespace {

TEST(Parallel, DoesEachOnce) {
  std::vector<std::atomic<int>> seen(100);
  for_each_index(seen.size(), 3, [&](std::size_t i, std::size_t worker) {
    EXPECT_LT(worker, 3U);
    ++seen[i];
  });
  for (const std::atomic<int>& count : seen) {
    EXPECT_EQ(count.load(), 1);
  }
}

// Each of two pieces waits for the other: one worker alone would never end.
TEST(Parallel, WorkersWorkAtTheSameTime) {
  std::latch both(2);
  std::vector<std::atomic<bool>> worked(2);
  for_each_index(2, 2, [&](std::size_t, std::size_t worker) {
    both.arrive_and_wait();
    worked[worker] = true;
  });
  EXPECT_TRUE(worked[0] && worked[1]);
}

TEST(Parallel, NothingIsLeftOutWithoutWorkers) {
  int calls = 0;
  for_each_index(4, 0, [&](std::size_t, std::size_t worker) {
    EXPECT_EQ(worker, 0U);
    ++calls;
  });
  EXPECT_EQ(calls, 4);
  for_each_index(0, 2, [](std::size_t, std::size_t) { FAIL(); });
}

// Both have begun when the one that is not the caller's own throws.
TEST(Parallel, AnExceptionOfAnotherThreadIsCarriedOver) {
  std::latch both(2);
  EXPECT_THROW(for_each_index(2, 2,
                              [&](std::size_t, std::size_t worker) {
                                both.arrive_and_wait();
                                if (worker == 1) {
                                  throw std::runtime_error("one");
                                }
                              }),
               std::runtime_error);
}

TEST(Parallel, AnExceptionEndsItAndIsCarriedOver) {
  int calls = 0;
  EXPECT_THROW(for_each_index(10, 1,
                              [&](std::size_t i, std::size_t) {
                                ++calls;
                                if (i == 3) {
                                  throw std::runtime_error("three");
                                }
                              }),
               std::runtime_error);
  EXPECT_EQ(calls, 4);
}

}  // namespace
}  // namespace dlbench::base
