// The library's behaviour as a host sees it: a conversation with a process that uses it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "protocol/arena.hpp"
#include "runner_library/probe.hpp"

namespace dlbench::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

protocol::ArenaPlan small_plan() {
  protocol::ArenaPlan plan;
  plan.parameters = {{"fc.weight", {2, 3}}, {"fc.bias", {2}}};
  plan.slots = 2;
  plan.input_bytes = 64;
  plan.target_bytes = 16;
  plan.output_bytes = 32;
  plan.step_capacity = 4;
  return plan;
}

class RunnerLibraryTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(probe_.receive(), "hello"); }

  protocol::Arena arena_{small_plan(), 1 << 16};
  Probe probe_{arena_.fd()};
};

TEST_F(RunnerLibraryTest, LeavesQuietlyWhenTheHostHangsUp) {
  probe_.hang_up();
  EXPECT_EQ(probe_.wait(), 0);
  EXPECT_EQ(probe_.errors(), "");
}

TEST_F(RunnerLibraryTest, FindsTensorsByNameAndRole) {
  arena_.parameter_in(0)[0] = 2.5F;
  EXPECT_EQ(probe_.ask("find_in fc.weight"), "rank 2 bytes 24 aligned 1 first 2.500000");
  EXPECT_EQ(probe_.ask("find_out fc.weight"), "rank 2 bytes 24 aligned 1 first 0.000000");
  EXPECT_EQ(probe_.ask("find_in fc.wei"), "error the arena has no IN tensor fc.wei");
  EXPECT_EQ(probe_.ask("list"), "fc.weight/1 fc.weight/2 fc.bias/1 fc.bias/2 ");
}

TEST_F(RunnerLibraryTest, StoresIntoTheOutTensorAndMarksIt) {
  EXPECT_EQ(probe_.ask("store fc.weight"), "stored");
  EXPECT_THAT(arena_.parameter_out(0), testing::ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_TRUE(arena_.written(0));
  EXPECT_FALSE(arena_.written(1));
}

TEST_F(RunnerLibraryTest, RefusesAnotherShapeOfTheSameSize) {
  EXPECT_THAT(probe_.ask("store_flat fc.weight"), HasSubstr("tensor fc.weight has another shape"));
  EXPECT_THAT(probe_.ask("store fc.bias"), HasSubstr("another shape"));
  EXPECT_THAT(probe_.ask("store nothing"), HasSubstr("no OUT tensor nothing"));
  EXPECT_FALSE(arena_.written(0));
}

TEST_F(RunnerLibraryTest, SlotsShowTheRowsPresentNow) {
  arena_.set_rows(1, 2, 40, 16);
  const std::int64_t target = 9;
  std::memcpy(arena_.slot(1).target.data(), &target, sizeof(target));
  EXPECT_EQ(probe_.ask("slot 1"), "rows 2 input 40 target 9 output 32");
  arena_.set_rows(1, 1, 20, 8);
  EXPECT_EQ(probe_.ask("slot 1"), "rows 1 input 20 target 9 output 32");
  EXPECT_EQ(probe_.ask("slot 2"), "error slot 2 of 2");
}

TEST_F(RunnerLibraryTest, RatesBeyondTheCapacityAreNotANumber) {
  arena_.rates()[3] = 0.125;
  EXPECT_EQ(probe_.ask("rate 3"), "0.125000");
  EXPECT_EQ(probe_.ask("rate 4"), "nan");
  EXPECT_EQ(probe_.ask("capacity"), "4");
}

TEST_F(RunnerLibraryTest, LeavesOneRecordPerStep) {
  EXPECT_EQ(probe_.ask("train 3"), "trained");
  ASSERT_EQ(arena_.completed_steps(), 3U);
  const auto records = arena_.records();
  const dlb_arena_header& header = arena_.header();
  std::int64_t last_ns = header.window_begin_ns;
  for (const dlb_step_record& record : records) {
    EXPECT_GE(record.begin_ns, last_ns);
    EXPECT_GE(record.end_ns, record.begin_ns);
    last_ns = record.end_ns;
  }
  EXPECT_GE(header.window_end_ns, last_ns);
  EXPECT_GE(header.cpu_end_ns, header.cpu_begin_ns);
  EXPECT_GT(header.cpu_begin_ns, 0);
  EXPECT_EQ(records[1].loss_valid, 1U);
  EXPECT_EQ(records[1].loss, 0.5);
  EXPECT_EQ(records[0].loss_valid, 0U);
}

TEST_F(RunnerLibraryTest, NextWindowStartsFromZero) {
  EXPECT_EQ(probe_.ask("train 4"), "trained");
  EXPECT_EQ(probe_.ask("train 1"), "trained");
  EXPECT_EQ(arena_.completed_steps(), 1U);
  EXPECT_EQ(probe_.ask("train 0"), "trained");
  EXPECT_EQ(arena_.completed_steps(), 0U);
}

TEST_F(RunnerLibraryTest, StepsBeyondTheCapacityTouchNothingElse) {
  arena_.parameter_in(0)[0] = 3.0F;
  EXPECT_EQ(probe_.ask("train 100"), "trained");
  EXPECT_EQ(arena_.completed_steps(), 4U);
  EXPECT_EQ(arena_.parameter_in(0)[0], 3.0F);
}

TEST_F(RunnerLibraryTest, ANewLayoutIsSeen) {
  EXPECT_EQ(probe_.ask("capacity"), "4");
  protocol::ArenaPlan plan = small_plan();
  plan.parameters = {{"other", {5}}};
  plan.step_capacity = 9;
  ASSERT_TRUE(arena_.lay_out(plan));
  EXPECT_EQ(probe_.ask("capacity"), "9");
  EXPECT_EQ(probe_.ask("list"), "other/1 other/2 ");
  EXPECT_THAT(probe_.ask("find_in fc.weight"), StartsWith("error"));
}

TEST_F(RunnerLibraryTest, FailureIsEscapedJson) {
  EXPECT_EQ(probe_.ask("fail a \"quoted\\ \x01 \xC3\xA9 \xFF\xED\xA0\x80 end"),
            "{\"id\":-7,\"ok\":false,\"outcome\":\"UNSUPPORTED\","
            "\"reason\":\"a \\\"quoted\\\\ \\u0001 \xC3\xA9 ???? end\"}");
}

TEST_F(RunnerLibraryTest, LongReasonsAreCut) {
  const std::string reply = probe_.ask("fail " + std::string(1'000'000, 'x'));
  EXPECT_LT(reply.size(), 20'000U);
  EXPECT_EQ(reply.back(), '}');
}

TEST_F(RunnerLibraryTest, MessagesMayArriveInPiecesOrTogether) {
  probe_.send_raw("len");
  probe_.send_raw("gth abc\nlength \nlength ab\n");
  EXPECT_EQ(probe_.receive(), "3");
  EXPECT_EQ(probe_.receive(), "0");
  EXPECT_EQ(probe_.receive(), "2");
}

TEST_F(RunnerLibraryTest, LargestMessageIsTakenAndOneByteMoreIsNot) {
  const std::string command = "length ";
  const std::string largest = command + std::string(DLB_MESSAGE_MAX_BYTES - 1 - command.size(), 'x');
  EXPECT_EQ(probe_.ask(largest), std::to_string(largest.size() - command.size()));
  probe_.send_raw(largest + "x\n");
  EXPECT_EQ(probe_.wait(), 5);
  EXPECT_THAT(probe_.errors(), HasSubstr("more than 4194304 bytes"));
}

TEST_F(RunnerLibraryTest, HangingUpWithinAMessageIsAnError) {
  probe_.send_raw("hal");
  probe_.hang_up();
  EXPECT_EQ(probe_.wait(), 5);
  EXPECT_THAT(probe_.errors(), HasSubstr("within a message"));
}

TEST_F(RunnerLibraryTest, RepliesWithNewlinesAreRefused) {
  EXPECT_EQ(probe_.ask("newline"), "error a message must be one line");
}

TEST_F(RunnerLibraryTest, OpensOnce) {
  EXPECT_EQ(probe_.ask("open_again"), "error dlb_open was called twice");
}

TEST_F(RunnerLibraryTest, AsksLoadedLibrariesOnly) {
  EXPECT_THAT(probe_.ask("libraries"), Not(HasSubstr("openblas")));
  const std::string json = probe_.ask("libraries libopenblas.so.0");
  EXPECT_THAT(json, HasSubstr("\"kind\":\"openblas\""));
  EXPECT_THAT(json, testing::ContainsRegex("\"threads\":[1-9]"));
  EXPECT_THAT(json, HasSubstr("\"core\":\""));
  EXPECT_THAT(json, HasSubstr("\"config\":\"OpenBLAS"));
}

TEST_F(RunnerLibraryTest, AsksOpenMp) {
  const std::string json = probe_.ask("libraries libgomp.so.1");
  EXPECT_THAT(json, testing::ContainsRegex("\"kind\":\"gomp\",\"threads\":[1-9]"));
}

// --- what is refused at the start
// -----------------------------------------------------------------------------------

std::string refusal(int arena_fd, const ProbeOptions& options = {}) {
  Probe probe(arena_fd, options);
  EXPECT_EQ(probe.wait(), 3);
  return probe.errors();
}

// Changes a fresh arena by `change(header, tensor table, slot table)` and returns the library's complaint.
template <class Change>
std::string refusal_after(Change change) {
  protocol::Arena arena(small_plan());
  auto* raw = const_cast<std::byte*>(arena.raw().data());
  auto* header = reinterpret_cast<dlb_arena_header*>(raw);
  change(*header, reinterpret_cast<dlb_tensor_entry*>(raw + header->tensors_offset),
         reinterpret_cast<dlb_slot_entry*>(raw + header->slots_offset));
  return refusal(arena.fd());
}

TEST(RunnerLibraryOpenTest, MissingDescriptorsAreExplained) {
  EXPECT_THAT(refusal(-1), HasSubstr("descriptor 4 is not a sealed arena"));
  ProbeOptions options;
  options.has_socket = false;
  const protocol::Arena arena(small_plan());
  EXPECT_THAT(refusal(arena.fd(), options), HasSubstr("descriptor 3 is not the host's socket"));
}

TEST(RunnerLibraryOpenTest, AnotherAbiIsRefusedWithBothNumbers) {
  const protocol::Arena arena(small_plan());
  ProbeOptions options;
  options.abi = "77";
  EXPECT_THAT(refusal(arena.fd(), options), HasSubstr("ABI 77, the runner library has ABI 1"));
  EXPECT_THAT(refusal_after([](auto& header, auto*, auto*) { header.abi = 9; }),
              HasSubstr("the arena has ABI 9, the runner library has ABI 1"));
}

TEST(RunnerLibraryOpenTest, BrokenHeadersAreRefused) {
  const auto refused = [](auto change) {
    return refusal_after([&](auto& header, auto*, auto*) { change(header); });
  };
  EXPECT_THAT(refused([](auto& h) { h.magic = 1; }), HasSubstr("magic"));
  EXPECT_THAT(refused([](auto& h) { h.header_bytes = 511; }), HasSubstr("511 bytes"));
  EXPECT_THAT(refused([](auto& h) { h.arena_bytes += 64; }), HasSubstr("its file has"));
  EXPECT_THAT(refused([](auto& h) { h.tensor_count = DLB_MAX_TENSORS + 1; }), HasSubstr("4097 tensors"));
  EXPECT_THAT(refused([](auto& h) { h.slot_count = UINT32_MAX; }), HasSubstr("4294967295 slots"));
  EXPECT_THAT(refused([](auto& h) { h.step_capacity = UINT64_MAX / 32; }), HasSubstr("step records"));
  EXPECT_THAT(refused([](auto& h) { h.records_offset = 1ULL << 40U; }), HasSubstr("step records"));
  EXPECT_THAT(refused([](auto& h) { h.rates_offset = UINT64_MAX - 63; }), HasSubstr("learning rates"));
  EXPECT_THAT(refused([](auto& h) { h.tensors_offset = h.arena_bytes; }), HasSubstr("tensor table"));
  EXPECT_THAT(refused([](auto& h) { h.tensors_offset += 8; }), HasSubstr("tensor table"));
  EXPECT_THAT(refused([](auto& h) { h.slots_offset = 0; }), HasSubstr("slot table"));
}

TEST(RunnerLibraryOpenTest, BrokenTensorsAreRefused) {
  const auto refused = [](auto change) {
    return refusal_after([&](auto&, auto* tensors, auto*) { change(tensors[1]); });
  };
  EXPECT_THAT(refused([](auto& t) { std::memset(t.name, 'x', sizeof(t.name)); }), HasSubstr("does not end"));
  EXPECT_THAT(refused([](auto& t) { t.name[0] = '\0'; }), HasSubstr("is empty"));
  EXPECT_THAT(refused([](auto& t) { t.offset = 1ULL << 62U; }), HasSubstr("outside"));
  EXPECT_THAT(refused([](auto& t) { t.bytes = UINT64_MAX; }), HasSubstr("outside"));
  EXPECT_THAT(refused([](auto& t) { t.rank = 7; }), HasSubstr("rank 7"));
  EXPECT_THAT(refused([](auto& t) { t.dims[0] = -2; }), HasSubstr("shape"));
  EXPECT_THAT(refused([](auto& t) { t.dims[0] = INT64_MAX; }), HasSubstr("shape"));
  EXPECT_THAT(refused([](auto& t) { t.dtype = 5; }), HasSubstr("unknown type 5"));
  EXPECT_THAT(refused([](auto& t) { t.role = 0; }), HasSubstr("unknown role 0"));
}

TEST(RunnerLibraryOpenTest, BrokenSlotsAreRefused) {
  const auto refused = [](auto change) {
    return refusal_after([&](auto&, auto*, auto* slots) { change(slots[1]); });
  };
  EXPECT_THAT(refused([](auto& s) { s.input_bytes = 1ULL << 50U; }), HasSubstr("input of slot 1"));
  EXPECT_THAT(refused([](auto& s) { s.target_offset = 64; }), HasSubstr("target of slot 1"));
  EXPECT_THAT(refused([](auto& s) { s.output_bytes = UINT64_MAX; }), HasSubstr("output of slot 1"));
}

TEST(RunnerLibraryOpenTest, ABrokenLayoutLaterFailsEveryLookup) {
  protocol::Arena arena(small_plan());
  Probe probe(arena.fd());
  ASSERT_EQ(probe.receive(), "hello");
  auto& header = const_cast<dlb_arena_header&>(arena.header());
  header.generation = 2;
  header.slots_offset = UINT64_MAX - 63;
  EXPECT_THAT(probe.ask("slot 0"), HasSubstr("slot table lies outside"));
  EXPECT_THAT(probe.ask("find_in fc.weight"), StartsWith("error"));
  EXPECT_EQ(probe.ask("capacity"), "0");
  EXPECT_EQ(probe.ask("train 3"), "trained");
  EXPECT_EQ(arena.completed_steps(), 0U);
}

TEST(RunnerLibraryOpenTest, EntriesAreCheckedAtEveryUse) {
  protocol::Arena arena(small_plan());
  Probe probe(arena.fd());
  ASSERT_EQ(probe.receive(), "hello");
  auto* raw = const_cast<std::byte*>(arena.raw().data());
  reinterpret_cast<dlb_tensor_entry*>(raw + arena.header().tensors_offset)[0].offset = 1ULL << 40U;
  reinterpret_cast<dlb_slot_entry*>(raw + arena.header().slots_offset)[0].input_offset = 1ULL << 40U;
  EXPECT_THAT(probe.ask("find_in fc.weight"), HasSubstr("outside"));
  EXPECT_THAT(probe.ask("slot 0"), HasSubstr("outside"));
}

// --- replay
// ---------------------------------------------------------------------------------------------------------

class ReplayTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "dlbench-replay-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void save(const std::string& name, std::string_view content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
  }
  void save_arena(const protocol::Arena& arena) const {
    save("arena", {reinterpret_cast<const char*>(arena.raw().data()), arena.raw().size()});
  }
  [[nodiscard]] ProbeOptions options() const {
    ProbeOptions options;
    options.replay = folder_.string();
    options.has_socket = false;
    return options;
  }

  std::filesystem::path folder_;
};

TEST_F(ReplayTest, CommandsComeFromTheFileAndRepliesGoToStdout) {
  protocol::Arena arena(small_plan());
  arena.parameter_in(0)[0] = 4.0F;
  save_arena(arena);
  save("commands", "find_in fc.weight\nstore fc.weight\nlength abc");
  Probe probe(-1, options());
  EXPECT_EQ(probe.wait(), 0);
  EXPECT_EQ(probe.standard_output(), "hello\nrank 2 bytes 24 aligned 1 first 4.000000\nstored\n3\n");
}

TEST_F(ReplayTest, SavedArenaIsNotChanged) {
  const protocol::Arena arena(small_plan());
  save_arena(arena);
  save("commands", "store fc.weight\n");
  Probe probe(-1, options());
  EXPECT_EQ(probe.wait(), 0);
  std::ifstream file(folder_ / "arena", std::ios::binary);
  const std::string after((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  EXPECT_EQ(after, std::string(reinterpret_cast<const char*>(arena.raw().data()), arena.raw().size()));
}

TEST_F(ReplayTest, MissingOrShortFilesAreExplained) {
  EXPECT_THAT(refusal(-1, options()), HasSubstr("/arena: No such file"));
  save("arena", "short");
  EXPECT_THAT(refusal(-1, options()), HasSubstr("commands: No such file"));
  save("commands", "");
  EXPECT_THAT(refusal(-1, options()), HasSubstr("less than its header"));
}

}  // namespace
}  // namespace dlbench::test
