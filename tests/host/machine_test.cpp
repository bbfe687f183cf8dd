#include "host/machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include "base/error.hpp"

namespace dlbench::host {
namespace {

using testing::ElementsAre;

TEST(Placement, TheRunnerGetsTheLastCpusAndTheHostTheOthers) {
  const Placement placement = place({0, 2, 4, 6}, 3);
  EXPECT_THAT(placement.runner_cpus, ElementsAre(2, 4, 6));
  EXPECT_THAT(placement.host_cpus, ElementsAre(0));
  EXPECT_FALSE(placement.shared_host);
}

TEST(Placement, AllCpusMeansASharedHost) {
  const Placement placement = place({0, 1}, 2);
  EXPECT_THAT(placement.runner_cpus, ElementsAre(0, 1));
  EXPECT_THAT(placement.host_cpus, ElementsAre(0, 1));
  EXPECT_TRUE(placement.shared_host);
}

TEST(Placement, MoreThreadsThanCpusIsTheUsersMistake) {
  EXPECT_THROW(static_cast<void>(place({0, 1}, 3)), base::UserError);
  EXPECT_THROW(static_cast<void>(place({0, 1}, 0)), base::UserError);
}

TEST(CpuSets, AreDisjointAndAsManyAsFit) {
  EXPECT_THAT(cpu_sets({0, 2, 4, 6}, 1, 30),
              ElementsAre(ElementsAre(0), ElementsAre(2), ElementsAre(4), ElementsAre(6)));
  EXPECT_THAT(cpu_sets({0, 2, 4, 6}, 2, 30), ElementsAre(ElementsAre(0, 2), ElementsAre(4, 6)));
  // 5 CPUs are two sets of two threads; the odd one helps out in the second.
  EXPECT_THAT(cpu_sets({0, 1, 2, 3, 4}, 2, 30), ElementsAre(ElementsAre(0, 1), ElementsAre(2, 3, 4)));
}

TEST(CpuSets, FewRunsShareAllCpus) {
  EXPECT_THAT(cpu_sets({0, 1, 2}, 1, 2), ElementsAre(ElementsAre(0), ElementsAre(1, 2)));
  EXPECT_THAT(cpu_sets({0, 1}, 1, 0), ElementsAre(ElementsAre(0, 1)));
}

TEST(CpuSets, TooManyThreadsAreLeftToPlace) {
  EXPECT_THAT(cpu_sets({0, 1}, 3, 4), ElementsAre(ElementsAre(0, 1)));
  EXPECT_THAT(cpu_sets({}, 1, 4), ElementsAre(ElementsAre()));
}

int affinity_count() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

TEST(HostConfinement, RestoresTheFormerSet) {
  const int before = affinity_count();
  const Machine machine = this_machine();
  ASSERT_FALSE(machine.cpus.empty());
  {
    Placement placement;
    placement.host_cpus = {machine.cpus.front()};
    const HostConfinement confinement(placement);
    EXPECT_EQ(affinity_count(), 1);
  }
  EXPECT_EQ(affinity_count(), before);
}

}  // namespace
}  // namespace dlbench::host
