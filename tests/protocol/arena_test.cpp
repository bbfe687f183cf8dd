#include "protocol/arena.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace dlbench::protocol {
namespace {

ArenaPlan small_plan() {
  ArenaPlan plan;
  plan.parameters = {{"conv1.weight", {2, 1, 3, 3}}, {"conv1.bias", {2}}};
  plan.slots = 3;
  plan.input_bytes = 100;
  plan.target_bytes = 24;
  plan.output_bytes = 40;
  plan.step_capacity = 5;
  return plan;
}

const dlb_tensor_entry* tensor_table(const Arena& arena) {
  return reinterpret_cast<const dlb_tensor_entry*>(arena.raw().data() + arena.header().tensors_offset);
}

const dlb_slot_entry* slot_table(const Arena& arena) {
  return reinterpret_cast<const dlb_slot_entry*>(arena.raw().data() + arena.header().slots_offset);
}

// header 512, 4 tensor entries 1024, 3 slot entries 192, records 5*32=160 -> 192, rates 5*8=40 -> 64,
// tensors 2*(72 -> 128) + 2*(8 -> 64), slots 3*(100 -> 128, 24 -> 64, 40 -> 64):
// 512 + 1024 + 192 + 192 + 64 + 384 + 768 = 3136.
TEST(ArenaTest, SizeIsTheSumOfItsAlignedRegions) {
  EXPECT_EQ(arena_bytes(small_plan()), 3136U);
}

TEST(ArenaTest, EmptyPlanIsAHeaderOnly) {
  EXPECT_EQ(arena_bytes({}), 512U);
  const Arena arena({});
  EXPECT_EQ(arena.header().tensor_count, 0U);
  EXPECT_TRUE(arena.records().empty());
}

TEST(ArenaTest, HeaderSaysWhatWasPlanned) {
  const Arena arena(small_plan());
  const dlb_arena_header& header = arena.header();
  EXPECT_EQ(std::memcmp(&header.magic, "DLBARENA", 8), 0);
  EXPECT_EQ(header.abi, DLB_ABI);
  EXPECT_EQ(header.header_bytes, 512U);
  EXPECT_EQ(header.arena_bytes, 3136U);
  EXPECT_EQ(header.generation, 1U);
  EXPECT_EQ(header.tensor_count, 4U);
  EXPECT_EQ(header.slot_count, 3U);
  EXPECT_EQ(header.step_capacity, 5U);
}

TEST(ArenaTest, EveryParameterHasAnInAndAnOutTensor) {
  const Arena arena(small_plan());
  const dlb_tensor_entry* table = tensor_table(arena);
  EXPECT_STREQ(table[0].name, "conv1.weight");
  EXPECT_EQ(table[0].role, static_cast<std::uint32_t>(DLB_ROLE_IN));
  EXPECT_STREQ(table[1].name, "conv1.weight");
  EXPECT_EQ(table[1].role, static_cast<std::uint32_t>(DLB_ROLE_OUT));
  EXPECT_STREQ(table[2].name, "conv1.bias");
  EXPECT_EQ(table[0].rank, 4U);
  EXPECT_THAT(std::vector<std::int64_t>(table[0].dims, table[0].dims + 4), testing::ElementsAre(2, 1, 3, 3));
  EXPECT_EQ(table[0].bytes, 72U);
  EXPECT_EQ(table[2].bytes, 8U);
}

TEST(ArenaTest, RegionsAreAlignedAndDoNotOverlap) {
  Arena arena(small_plan());
  std::vector<std::pair<std::uint64_t, std::uint64_t>> regions;
  const auto add = [&](std::uint64_t offset, std::uint64_t bytes) {
    EXPECT_EQ(offset % 64, 0U);
    regions.emplace_back(offset, offset + bytes);
  };
  const dlb_arena_header& header = arena.header();
  add(0, 512);
  add(header.tensors_offset, 4 * sizeof(dlb_tensor_entry));
  add(header.slots_offset, 3 * sizeof(dlb_slot_entry));
  add(header.records_offset, 5 * sizeof(dlb_step_record));
  add(header.rates_offset, 5 * sizeof(double));
  for (int i = 0; i < 4; ++i) {
    add(tensor_table(arena)[i].offset, tensor_table(arena)[i].bytes);
  }
  for (int k = 0; k < 3; ++k) {
    add(slot_table(arena)[k].input_offset, 100);
    add(slot_table(arena)[k].target_offset, 24);
    add(slot_table(arena)[k].output_offset, 40);
  }
  std::sort(regions.begin(), regions.end());
  for (std::size_t i = 1; i < regions.size(); ++i) {
    EXPECT_LE(regions[i - 1].second, regions[i].first);
  }
  EXPECT_LE(regions.back().second, arena.bytes());
}

TEST(ArenaTest, SpansLeadToTheTablesOffsets) {
  Arena arena(small_plan());
  arena.parameter_in(1)[1] = 7.0F;
  arena.slot(2).target[0] = std::byte{9};
  arena.slot(2).output[39] = std::byte{8};
  const std::byte* raw = arena.raw().data();
  float value = 0;
  std::memcpy(&value, raw + tensor_table(arena)[2].offset + 4, 4);
  EXPECT_EQ(value, 7.0F);
  EXPECT_EQ(raw[slot_table(arena)[2].target_offset], std::byte{9});
  EXPECT_EQ(raw[slot_table(arena)[2].output_offset + 39], std::byte{8});
  EXPECT_EQ(arena.parameter_out(0).data(),
            reinterpret_cast<const float*>(raw + tensor_table(arena)[1].offset));
  EXPECT_EQ(arena.parameter_out(0).size(), 18U);
}

TEST(ArenaTest, NoOutputRegionHasOffsetZero) {
  ArenaPlan plan = small_plan();
  plan.output_bytes = 0;
  Arena arena(plan);
  EXPECT_EQ(slot_table(arena)[0].output_offset, 0U);
  EXPECT_TRUE(arena.slot(0).output.empty());
}

TEST(ArenaTest, RowsAreWrittenToTheSlot) {
  Arena arena(small_plan());
  arena.set_rows(1, 2, 50, 16);
  EXPECT_EQ(slot_table(arena)[1].rows, 2U);
  EXPECT_EQ(slot_table(arena)[1].input_bytes, 50U);
  EXPECT_EQ(slot_table(arena)[1].target_bytes, 16U);
  EXPECT_THROW(arena.set_rows(1, 2, 101, 16), base::Bug);
  EXPECT_THROW(arena.set_rows(3, 2, 50, 16), base::Bug);
}

TEST(ArenaTest, WrittenFlagsBelongToOutTensors) {
  Arena arena(small_plan());
  EXPECT_FALSE(arena.written(1));
  const_cast<dlb_tensor_entry*>(tensor_table(arena))[3].written = 1;
  EXPECT_TRUE(arena.written(1));
  EXPECT_FALSE(arena.written(0));
  arena.clear_written();
  EXPECT_FALSE(arena.written(1));
}

TEST(ArenaTest, RecordsNeverExceedTheCapacity) {
  Arena arena(small_plan());
  auto& header = const_cast<dlb_arena_header&>(arena.header());
  header.completed_steps = 2;
  EXPECT_EQ(arena.records().size(), 2U);
  header.completed_steps = UINT64_MAX;
  EXPECT_EQ(arena.records().size(), 5U);
}

TEST(ArenaTest, OffsetsOverwrittenByTheRunnerAreNotFollowed) {
  Arena arena(small_plan());
  auto& header = const_cast<dlb_arena_header&>(arena.header());
  const float* const before = arena.parameter_out(1).data();
  header.records_offset = UINT64_MAX;
  header.tensors_offset = UINT64_MAX;
  const_cast<dlb_tensor_entry*>(reinterpret_cast<const dlb_tensor_entry*>(arena.raw().data() + 512))[3]
      .offset = UINT64_MAX;
  header.completed_steps = 1;
  EXPECT_EQ(arena.parameter_out(1).data(), before);
  EXPECT_EQ(arena.records()[0].begin_ns, 0);
  EXPECT_FALSE(arena.written(0));
}

TEST(ArenaTest, LayingOutAnewZeroesAndCounts) {
  Arena arena(small_plan(), 100'000);
  EXPECT_GE(arena.bytes(), 100'000U);
  EXPECT_EQ(arena.header().arena_bytes, arena.bytes());
  arena.parameter_in(0)[0] = 1.0F;
  arena.slot(2).output[0] = std::byte{1};
  ArenaPlan other = small_plan();
  other.parameters = {{"dense.weight", {30, 30}}};
  ASSERT_TRUE(arena.lay_out(other));
  EXPECT_EQ(arena.header().generation, 2U);
  EXPECT_EQ(arena.header().tensor_count, 2U);
  EXPECT_STREQ(tensor_table(arena)[0].name, "dense.weight");
  EXPECT_THAT(arena.parameter_in(0), testing::Each(0.0F));
  ASSERT_TRUE(arena.lay_out(small_plan()));
  EXPECT_EQ(arena.slot(2).output[0], std::byte{0});
}

TEST(ArenaTest, LayoutThatDoesNotFitLeavesTheOldOne) {
  Arena arena(small_plan());
  ArenaPlan bigger = small_plan();
  bigger.slots = 1000;
  EXPECT_FALSE(arena.lay_out(bigger));
  EXPECT_EQ(arena.header().generation, 1U);
  EXPECT_EQ(arena.header().slot_count, 3U);
}

TEST(ArenaTest, FileIsSealedAgainstResizing) {
  const Arena arena(small_plan());
  struct stat status{};
  ASSERT_EQ(fstat(arena.fd(), &status), 0);
  EXPECT_EQ(status.st_size, 3136);
  EXPECT_EQ(ftruncate(arena.fd(), 0), -1);
  EXPECT_EQ(errno, EPERM);
  EXPECT_EQ(ftruncate(arena.fd(), 1 << 20), -1);
  EXPECT_EQ(fcntl(arena.fd(), F_ADD_SEALS, F_SEAL_WRITE), -1);
  EXPECT_NE(fcntl(arena.fd(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST(ArenaTest, AbsurdSizesAreRefusedBeforeAnythingIsReserved) {
  ArenaPlan plan = small_plan();
  plan.parameters = {{"w", {1LL << 40, 1LL << 40}}};
  EXPECT_THROW((void)arena_bytes(plan), base::UserError);
  plan = small_plan();
  plan.step_capacity = UINT64_MAX;
  EXPECT_THROW((void)arena_bytes(plan), base::UserError);
  plan = small_plan();
  plan.input_bytes = UINT64_MAX;
  EXPECT_THROW((void)arena_bytes(plan), base::UserError);
}

TEST(ArenaTest, MalformedPlansAreBugs) {
  ArenaPlan plan;
  plan.parameters = {{std::string(DLB_NAME_BYTES, 'x'), {1}}};
  EXPECT_THROW((void)arena_bytes(plan), base::Bug);
  plan.parameters = {{"w", {1, 1, 1, 1, 1, 1, 1}}};
  EXPECT_THROW((void)arena_bytes(plan), base::Bug);
  plan.parameters = {{"w", {-1}}};
  EXPECT_THROW((void)arena_bytes(plan), base::Bug);
  plan.parameters.assign(DLB_MAX_TENSORS / 2 + 1, {"w", {1}});
  EXPECT_THROW((void)arena_bytes(plan), base::Bug);
}

}  // namespace
}  // namespace dlbench::protocol
