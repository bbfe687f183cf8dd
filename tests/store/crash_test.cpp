// A writer that dies leaves whole runs only, and a free workspace.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <functional>

#include "store_fixture.hpp"

namespace dlbench::store::testing {
namespace {

constexpr std::size_t series_length = 1 << 17;  // 1 MiB: a transaction of many WAL frames

record::Run large_run(int number) {
  record::Run run = example_run("run-" + std::to_string(number), "case-1", number);
  run.series = {{record::SeriesKind::w1_step, "ns", std::vector<double>(series_length, number)},
                {record::SeriesKind::w2_step, "ns", std::vector<double>(series_length, -number)}};
  return run;
}

class Crash : public StoreTest {
 protected:
  void SetUp() override {
    const auto store = Store::open(workspace_);
    store->add_study(example_study());
    store->add_case("study-1", example_case());
  }

  // A child that leaves only by _exit or a signal, so that nothing of the test's own runs twice.
  pid_t fork_child(const std::function<void()>& body) const {
    const pid_t child = ::fork();
    if (child == 0) {
      const rlimit no_core{0, 0};
      ::setrlimit(RLIMIT_CORE, &no_core);
      body();
      ::_exit(0);
    }
    return child;
  }

  // Number of runs; each must be whole.
  int count_whole_runs() const {
    const auto store = Store::open(workspace_);
    const auto runs = store->runs("study-1", true);
    for (const record::Run& run : runs) {
      EXPECT_EQ(run.phases.size(), 2U);
      EXPECT_EQ(run.metrics.size(), 2U);
      EXPECT_EQ(run.settings.size(), 2U);
      EXPECT_EQ(run.series.size(), 2U);
      for (const record::Series& series : run.series) {
        EXPECT_EQ(series.values.size(), series_length);
      }
    }
    return static_cast<int>(runs.size());
  }
};

// The kernel kills the child at a chosen byte of the write-ahead log: inside the second run's transaction for
// certain.
TEST_F(Crash, InsideATransactionLeavesNoHalfRun) {
  const rlim_t one_run = 2 * series_length * sizeof(double);
  for (const rlim_t limit : {one_run + one_run / 4, one_run + one_run / 2, 2 * one_run - 4096}) {
    const int before = count_whole_runs();
    const pid_t child = fork_child([this, before, limit] {
      const auto store = Store::open(workspace_);
      store->add_run("study-1", large_run(before));
      const rlimit file_size{limit + 65536, limit + 65536};
      ::setrlimit(RLIMIT_FSIZE, &file_size);
      ::signal(SIGXFSZ, SIG_DFL);
      store->add_run("study-1", large_run(before + 1));
    });
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended with " << status;
    EXPECT_EQ(WTERMSIG(status), SIGXFSZ);
    EXPECT_EQ(count_whole_runs(), before + 1);
  }
}

// kill -9 at times that nobody chose, while the child writes without pause.
TEST_F(Crash, ByKillLeavesNoHalfRun) {
  int expected_at_least = 0;
  for (int round = 0; round < 8; ++round) {
    int pipe_ends[2];
    ASSERT_EQ(::pipe2(pipe_ends, O_CLOEXEC), 0);
    const int first = count_whole_runs();
    const pid_t child = fork_child([this, first, &pipe_ends] {
      const auto store = Store::open(workspace_);
      for (int number = first;; ++number) {
        store->add_run("study-1", large_run(number));
        static_cast<void>(::write(pipe_ends[1], "x", 1) == 1);
      }
    });
    ::close(pipe_ends[1]);
    char byte = 0;
    ASSERT_EQ(::read(pipe_ends[0], &byte, 1), 1);
    ::usleep(static_cast<useconds_t>(1500 * round));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    int reported = 1;
    while (::read(pipe_ends[0], &byte, 1) == 1) {
      ++reported;
    }
    ::close(pipe_ends[0]);
    // Every run that was reported as stored is there; at most one more was stored but not yet reported.
    const int found = count_whole_runs();
    EXPECT_GE(found, first + reported);
    EXPECT_LE(found, first + reported + 1);
    expected_at_least += reported;
  }
  EXPECT_GE(count_whole_runs(), expected_at_least);
}

TEST_F(Crash, OfAnotherProcessFreesTheWorkspace) {
  int pipe_ends[2];
  ASSERT_EQ(::pipe2(pipe_ends, O_CLOEXEC), 0);
  const pid_t child = fork_child([this, &pipe_ends] {
    const auto store = Store::open(workspace_);
    static_cast<void>(::write(pipe_ends[1], "x", 1) == 1);
    ::pause();
  });
  char byte = 0;
  ASSERT_EQ(::read(pipe_ends[0], &byte, 1), 1);
  EXPECT_THAT(refusal([this] { static_cast<void>(Store::open(workspace_)); }),
              ::testing::HasSubstr("locked by pid " + std::to_string(child)));
  ::kill(child, SIGKILL);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_NO_THROW(static_cast<void>(Store::open(workspace_)));
  ::close(pipe_ends[0]);
  ::close(pipe_ends[1]);
}

}  // namespace
}  // namespace dlbench::store::testing
