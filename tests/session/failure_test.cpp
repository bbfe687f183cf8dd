// One row per way to break a conversation: exactly one classified failure, and nothing left running
// (TearDown).
#include <fmt/format.h>

#include <algorithm>

#include "session/support.hpp"

namespace dlbench::session {
namespace {

using std::chrono::milliseconds;
using ::testing::HasSubstr;
using testing::SessionTest;

struct Row {
  std::string behaviour;
  std::string place;
  std::string outcome;
  std::string reason;  // a part of it
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.behaviour << " at " << row.place;
}

class FailureRows : public SessionTest, public ::testing::WithParamInterface<Row> {};

TEST_P(FailureRows, IsClassified) {
  const Row& row = GetParam();
  const Failure failure = failure_of(row.behaviour, row.place);
  EXPECT_EQ(failure.outcome, row.outcome) << failure.reason;
  EXPECT_THAT(failure.reason, HasSubstr(row.reason));
  EXPECT_EQ(failure.fatal, row.outcome != "OK");
  EXPECT_TRUE(testing::carriers(token_).empty());
}

const Row kRows[] = {
    {"abort", "start", "CRASH", "signal 6 (SIGABRT) during start"},
    {"abort", "train", "CRASH", "signal 6 (SIGABRT) during train after 0 steps"},
    {"segfault", "load", "CRASH", "signal 11 (SIGSEGV) during load"},
    {"segfault", "quit", "CRASH", "signal 11 (SIGSEGV) during quit"},
    {"exit-0", "start", "CRASH", "exit code 0 during start"},
    {"exit-0", "put", "CRASH", "exit code 0 during put"},
    {"exit-3", "get", "CRASH", "exit code 3 during get; last output: first line | the device is on fire"},
    {"kill-9", "train", "CRASH", "signal 9 (SIGKILL)"},
    {"die-in-step", "infer", "OK", ""},
    {"orphan-and-die", "inspect", "CRASH", "signal 6 (SIGABRT) during inspect"},
    {"bad-exit", "quit", "CRASH", "exit code 4 during quit"},
    {"bad-alloc", "train", "OOM", "std::bad_alloc"},
    {"memory-error", "load", "OOM", "MemoryError"},
    {"garbage", "start", "PROTOCOL", "not a JSON object: 'this is not JSON ?"},
    {"garbage", "train", "PROTOCOL", "not a JSON object"},
    {"not-object", "put", "PROTOCOL", "not a JSON object: '[1,2]'"},
    {"deep", "put", "PROTOCOL", "nested more than 16 levels"},
    {"oversized", "start", "PROTOCOL", "more than 4194304 bytes"},
    {"oversized", "train", "PROTOCOL", "more than 4194304 bytes"},
    {"half-line", "load", "CRASH", "exit code 0 during load"},
    {"flood", "start", "PROTOCOL", "stdout and stderr exceeded"},
    {"flood", "train", "PROTOCOL", "stdout and stderr exceeded"},
    {"wrong-abi", "start", "PROTOCOL", "the runner speaks abi 77, dlbench speaks abi 1"},
    {"bad-input", "start", "PROTOCOL", "'input' must be alias, copy or transfer"},
    {"missing-field", "start", "PROTOCOL", "description: 'ops' must be an array"},
    {"missing-field", "load", "PROTOCOL", "'logits' must be an array"},
    {"missing-field", "put", "PROTOCOL", "'ok' must be true or false"},
    {"missing-field", "train", "PROTOCOL", "'steps' must be an integer"},
    {"wrong-type", "put", "PROTOCOL", "'ok' must be true or false"},
    {"wrong-id", "put", "PROTOCOL", "a reply has id 3, the command had 2"},
    {"refuse-oddly", "load", "PROTOCOL", "'outcome' must be one that a runner may send"},
    {"no-threads", "load", "PROTOCOL", "contains 'threads'"},
    {"no-threads", "inspect", "PROTOCOL", "contains 'threads'"},
    {"second-message", "put", "PROTOCOL", ""},
    {"wrong-count", "train", "PROTOCOL", "train of 10 steps replied 11"},
    {"one-step-less", "train", "PROTOCOL", "9 steps were recorded, 10 were asked for"},
    {"no-steps", "infer", "PROTOCOL", "10 steps were recorded, 2 were asked for"},
    {"step-backwards", "train", "PROTOCOL", "the clock of step 0 runs backwards"},
    {"cpu-backwards", "infer", "PROTOCOL", "clock runs backwards"},
    {"other-clock", "train", "PROTOCOL", "outside the command"},
    {"header-write", "train", "PROTOCOL", "wrote over the header"},
    {"unstored", "get", "PROTOCOL", "get did not store parameter 'dense.bias'"},
    {"orphan", "train", "OK", ""},
    {"setsid-orphan", "quit", "OK", ""},
};

std::string name_of(const ::testing::TestParamInfo<Row>& info) {
  std::string name = info.param.behaviour + "_" + info.param.place;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Behaviours, FailureRows, ::testing::ValuesIn(kRows), name_of);

// The limit that is under test is short, the others are long: which one is met does not depend on the
// machine.
Timeouts only(milliseconds Timeouts::* member) {
  const milliseconds minute(60'000);
  Timeouts timeouts{minute, minute, minute, minute};
  timeouts.*member = milliseconds(300);
  return timeouts;
}

// The call stack that a framework appends is for its log.
TEST_F(SessionTest, TellsTheFirstLineOfAReason) {
  EXPECT_EQ(failure_of("refuse-at-length", "load").reason, "it broke");
}

TEST_F(SessionTest, TimesOutAtStart) {
  const Failure failure = failure_of("hang", "start", only(&Timeouts::start));
  EXPECT_EQ(failure.outcome, "TIMEOUT");
  EXPECT_EQ(failure.reason, "no reply within 0.3 s during start");
}

TEST_F(SessionTest, TimesOutInACommandThoughSignalsAreIgnored) {
  const Failure failure = failure_of("ignore-term", "put", only(&Timeouts::command));
  EXPECT_EQ(failure.outcome, "TIMEOUT");
  EXPECT_EQ(failure.reason, "no reply within 0.3 s during put");
}

TEST_F(SessionTest, TimesOutWithADetachedGrandchild) {
  EXPECT_EQ(failure_of("orphan-and-hang", "load", only(&Timeouts::command)).outcome, "TIMEOUT");
}

// The kernel shows such a process as a zombie though it lives.
TEST_F(SessionTest, TimesOutWhenTheFirstThreadHasLeft) {
  auto session = start("lose-first-thread", "put", only(&Timeouts::command));
  ASSERT_TRUE(session.has_value()) << session.error().reason;
  const int pid = (*session)->pid();
  EXPECT_EQ((*session)->put().error().outcome, "TIMEOUT");
  EXPECT_FALSE(process::read_process(pid).has_value());
}

TEST_F(SessionTest, TimesOutWhenNoStepCompletes) {
  const Failure failure = failure_of("hang-in-step", "train", only(&Timeouts::step));
  EXPECT_EQ(failure.outcome, "TIMEOUT");
  EXPECT_EQ(failure.reason, "no step completed within 0.3 s during train after 5 steps");
}

TEST_F(SessionTest, AChunkMayTakeLongerThanOneStepMay) {
  // 20 steps of 0.06 s each against a limit of 0.9 s per step.
  Timeouts timeouts = patient();
  timeouts.step = milliseconds(900);
  auto session = start("slow-steps", "train", timeouts);
  ASSERT_TRUE(session.has_value()) << session.error().reason;
  EXPECT_TRUE((*session)->train(20, Drain::ends).has_value());
}

TEST_F(SessionTest, TimesOutWhenTheRunnerRefusesToLeave) {
  const Failure failure = failure_of("refuse-quit", "quit", only(&Timeouts::quit));
  EXPECT_EQ(failure.outcome, "TIMEOUT");
  EXPECT_EQ(failure.reason, "did not exit within 0.3 s of quit");
}

TEST_F(SessionTest, AClosedSocketOfALivingRunnerIsProtocol) {
  const Failure failure = failure_of("close-socket", "put");
  EXPECT_EQ(failure.outcome, "PROTOCOL");
  EXPECT_THAT(failure.reason, HasSubstr("closed the connection"));
}

TEST_F(SessionTest, AMissingProgramIsNamed) {
  process::LaunchSpec missing = spec("ok");
  missing.command = {"/nonexistent/runner"};
  const auto session = Session::start(missing, plan(), patient());
  ASSERT_FALSE(session.has_value());
  EXPECT_EQ(session.error().outcome, "CRASH");
  EXPECT_THAT(session.error().reason, HasSubstr("exec /nonexistent/runner: No such file or directory"));
}

}  // namespace
}  // namespace dlbench::session
