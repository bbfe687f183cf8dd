// One real runner process at the other end of a socket and an arena: the smallest host there can be.
#pragma once

#include <gtest/gtest.h>
#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "model/graph.hpp"
#include "model/recipe.hpp"
#include "protocol/arena.hpp"
#include "protocol/channel.hpp"

namespace dlbench::runner_sdk_test {

using Json = nlohmann::json;

struct RunnerUnderTest {
  std::string name;          // as its description says
  std::string language;      // "c++", "python", "lua"
  std::string program = {};  // path, where it is not built by the main build
};
// What a failing test prints.
inline std::ostream& operator<<(std::ostream& out, const RunnerUnderTest& runner) {
  return out << runner.name;
}
// The name that GoogleTest gives the test of one runner.
[[nodiscard]] std::string test_name(const testing::TestParamInfo<RunnerUnderTest>& info);
[[nodiscard]] std::vector<RunnerUnderTest> null_runners();
[[nodiscard]] std::vector<RunnerUnderTest> template_runners();
// Empty when the runner can be started here, else the reason to skip.
[[nodiscard]] std::string why_not(const RunnerUnderTest& runner);

class RunnerProcess {
 public:
  RunnerProcess(const RunnerUnderTest& runner, const protocol::ArenaPlan& plan);
  ~RunnerProcess();  // kills what still runs
  RunnerProcess(const RunnerProcess&) = delete;
  RunnerProcess& operator=(const RunnerProcess&) = delete;

  [[nodiscard]] const Json& description() const { return description_; }
  [[nodiscard]] protocol::Arena& arena() { return arena_; }
  // Sends one command and returns its reply; records a test failure when there is none or its id is another
  // one.
  Json ask(const std::string& command, Json fields = Json::object());
  Json ask_text(const std::string& line);
  Json load(const model::Graph& graph, const model::Recipe& recipe, const std::string& mode = "train",
            std::int64_t partial = 1, int threads = 1);
  void hang_up();
  // Exit code; -1 when it was killed by a signal or did not end in time.
  int wait_for_exit();

 private:
  protocol::Arena arena_;
  std::unique_ptr<protocol::Channel> channel_;
  pid_t pid_ = -1;
  std::int64_t id_ = 0;
  Json description_;
};

// Plain SGD as the defaults have it.
[[nodiscard]] model::Recipe recipe_of(std::int64_t batch);

// Room for every parameter of `graph`, `slots` batches of `rows` and 64 steps; logits when `classes` > 0.
[[nodiscard]] protocol::ArenaPlan plan_for(const model::Graph& graph, std::uint32_t slots, std::int64_t rows);
// Writes one batch into slot k; its rows are the number of targets.
void fill_slot(protocol::Arena& arena, std::uint32_t k, const std::vector<float>& input,
               const std::vector<std::int64_t>& target);
void fill_slot(protocol::Arena& arena, std::uint32_t k, const model::Batch& batch, model::InputKind kind);
void fill_rates(protocol::Arena& arena, const std::vector<double>& rates);
void put_parameters(protocol::Arena& arena, const std::vector<std::vector<float>>& values);
[[nodiscard]] std::vector<float> parameter(const protocol::Arena& arena, std::size_t i);

}  // namespace dlbench::runner_sdk_test
