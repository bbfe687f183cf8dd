#include <gmock/gmock.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>

#include "probes/cpu_order.hpp"
#include "probes/kernel_text.hpp"
#include "probes/machine.hpp"

namespace dlbench::probes {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::string kLaptop = std::string(DLBENCH_SOURCE_DIR) + "/tests/fixtures/hosts/eight_cpu_laptop";

TEST(ReadMemory, TakesResidentPeakAndShared) {
  const ProcessMemory memory = read_memory(4242, kLaptop);
  EXPECT_EQ(memory.peak_rss_bytes, 300000ULL * 1024);
  EXPECT_EQ(memory.rss_bytes, 200000ULL * 1024);
  EXPECT_EQ(memory.shmem_bytes, 40000ULL * 1024);
}

TEST(ReadMemory, IsAbsentForNobody) {
  const ProcessMemory memory = read_memory(1, kLaptop);
  EXPECT_FALSE(memory.peak_rss_bytes || memory.rss_bytes || memory.shmem_bytes);
}

TEST(ProcessTicks, AddsUserAndSystemBehindAnyName) {
  EXPECT_EQ(process_ticks(4242, kLaptop), 175U);  // 150 + 25, not the children's 7 + 8
  EXPECT_FALSE(process_ticks(1, kLaptop).has_value());
  EXPECT_TRUE(process_ticks(::getpid()).has_value());
}

TEST(ReadThreads, FindsTheThreadOutside) {
  const ThreadView view = read_threads(4242, {0, 1, 2}, kLaptop);
  EXPECT_EQ(view.thread_count, 3);  // the fourth entry is empty: it ended meanwhile
  EXPECT_FALSE(view.inside);
  EXPECT_EQ(view.outside_detail, "thread 4250 (stray) may run on CPU 4: 1,4-5");
}

TEST(ReadThreads, AcceptsASupersetAndNoRequest) {
  EXPECT_TRUE(read_threads(4242, {5, 4, 1, 0}, kLaptop).inside);
  EXPECT_TRUE(read_threads(4242, {}, kLaptop).inside);
  const ThreadView nobody = read_threads(1, {0}, kLaptop);
  EXPECT_EQ(nobody.thread_count, 0);
  EXPECT_TRUE(nobody.inside);
}

TEST(MappedMathLibraries, ListsEachFileOnce) {
  EXPECT_THAT(mapped_math_libraries(4242, kLaptop),
              ElementsAre("/opt/env/torch/lib/libgomp-a34b3233.so.1", "/opt/my libs/libmkl_rt.so.2",
                          "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblasp-r0.3.21.so"));
  EXPECT_THAT(mapped_math_libraries(1, kLaptop), IsEmpty());
}

TEST(UsableCpus, AreThoseOfThisProcess) {
  std::vector<int> cpus = usable_cpus();
  std::sort(cpus.begin(), cpus.end());
  cpu_set_t set;
  ASSERT_EQ(::sched_getaffinity(0, sizeof set, &set), 0);
  std::vector<int> expected;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) {
      expected.push_back(cpu);
    }
  }
  EXPECT_EQ(cpus, expected);
}

TEST(SpreadOverCores, TakesCoresBeforeHyperThreads) {
  EXPECT_THAT(spread_over_cores({{0, 4}, {1, 5}, {2, 6}}), ElementsAre(0, 1, 2, 4, 5, 6));
  // Hybrid: two cores with hyper-threads, two without.
  EXPECT_THAT(spread_over_cores({{0, 1}, {2, 3}, {4}, {5}}), ElementsAre(0, 2, 4, 5, 1, 3));
  EXPECT_THAT(spread_over_cores({{}, {3}}), ElementsAre(3));
  EXPECT_THAT(spread_over_cores({}), IsEmpty());
}

TEST(KernelText, ParsesCpuLists) {
  EXPECT_THAT(*parse_cpu_list("0-2,5\n"), ElementsAre(0, 1, 2, 5));
  EXPECT_THAT(*parse_cpu_list("\n"), IsEmpty());
  for (const char* bad : {"a", "3-1", "1-", "-1", "0-4294967295", "1,,2", "99999"}) {
    EXPECT_FALSE(parse_cpu_list(bad).has_value()) << bad;
  }
}

TEST(KernelText, RefusesWhatIsNoSize) {
  EXPECT_EQ(find_kib("A: 1 kB\nB:\t2 kB\n", "B"), 2048U);
  EXPECT_FALSE(find_kib("B: 2\n", "B").has_value());
  EXPECT_FALSE(find_kib("B: 18446744073709551615 kB\n", "B").has_value());
  EXPECT_FALSE(find_kib("B: -2 kB\n", "B").has_value());
  EXPECT_FALSE(find_kib("BB: 2 kB\n", "B").has_value());
}

}  // namespace
}  // namespace dlbench::probes
