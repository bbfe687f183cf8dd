#include "runner_sdk/runner_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "model/json.hpp"

namespace dlbench::runner_sdk_test {
namespace {

const std::string source_dir = DLBENCH_SOURCE_DIR;
const std::string binary_dir = DLBENCH_BINARY_DIR;
const std::string sdk_dir = binary_dir + "/sdk";

// A runner's folder: "null-python" is runners/null-python, "template-python" is runners/_template/python.
std::string script(const std::string& name, const std::string& file) {
  const std::string prefix = "template-";
  const bool is_template = name.starts_with(prefix);
  return source_dir + "/runners/" + (is_template ? "_template/" + name.substr(prefix.size()) : name) + "/" +
         file;
}

std::vector<std::string> command_of(const RunnerUnderTest& runner) {
  if (runner.language == "python") {
    return {DLBENCH_TEST_PYTHON, script(runner.name, "main.py")};
  }
  if (runner.language == "lua") {
    return {DLBENCH_TEST_LUAJIT, script(runner.name, "main.lua")};
  }
  if (!runner.program.empty()) {
    return {runner.program};
  }
  return {binary_dir + "/runners/" + runner.name + "/" + runner.name};
}

// Nothing is inherited: the test must not depend on the shell it runs in.
std::vector<std::string> environment() {
  return {"PATH=/usr/bin:/bin", "PYTHONPATH=" + sdk_dir + "/python", "PYTHONDONTWRITEBYTECODE=1",
          "LUA_PATH=" + sdk_dir + "/lua/?.lua;" + sdk_dir + "/lua/?/init.lua;;", "OPENBLAS_NUM_THREADS=1"};
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) {
    result.push_back(text.data());
  }
  result.push_back(nullptr);
  return result;
}

// Descriptors far away from 3 and 4, so that neither overwrites the other in the child.
pid_t spawn(const RunnerUnderTest& runner, int socket, int arena) {
  const int far_socket = fcntl(socket, F_DUPFD_CLOEXEC, 20);
  const int far_arena = fcntl(arena, F_DUPFD_CLOEXEC, 20);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, far_socket, DLB_SOCKET_FD);
  posix_spawn_file_actions_adddup2(&actions, far_arena, DLB_ARENA_FD);
  std::vector<std::string> command = command_of(runner);
  std::vector<std::string> variables = environment();
  pid_t pid = -1;
  const int error = posix_spawn(&pid, command[0].c_str(), &actions, nullptr, pointers(command).data(),
                                pointers(variables).data());
  posix_spawn_file_actions_destroy(&actions);
  close(far_socket);
  close(far_arena);
  if (error != 0) {
    throw std::runtime_error("cannot start " + command[0] + ": " + std::strerror(error));
  }
  return pid;
}

protocol::Deadline soon() {
  return std::chrono::steady_clock::now() + std::chrono::seconds(60);
}

Json receive(protocol::Channel& channel) {
  const auto line = channel.receive(soon());
  if (!line) {
    throw std::runtime_error("no message from the runner: " + line.error().text);
  }
  return Json::parse(*line);
}

}  // namespace

std::vector<RunnerUnderTest> null_runners() {
  return {{"null-cpp", "c++"}, {"null-python", "python"}, {"null-lua", "lua"}};
}

std::vector<RunnerUnderTest> template_runners() {
  return {{"template-cpp", "c++"}, {"template-python", "python"}, {"template-lua", "lua"}};
}

std::string why_not(const RunnerUnderTest& runner) {
  if (runner.language == "lua" && !std::filesystem::exists(DLBENCH_TEST_LUAJIT)) {
    return "luajit is not installed";
  }
  return {};
}

std::string test_name(const testing::TestParamInfo<RunnerUnderTest>& info) {
  std::string name = info.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
}

RunnerProcess::RunnerProcess(const RunnerUnderTest& runner, const protocol::ArenaPlan& plan) : arena_(plan) {
  std::array<int, 2> ends = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::runtime_error("no socket pair");
  }
  channel_ = std::make_unique<protocol::Channel>(ends[0]);
  pid_ = spawn(runner, ends[1], arena_.fd());
  close(ends[1]);
  description_ = receive(*channel_);
}

RunnerProcess::~RunnerProcess() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

Json RunnerProcess::ask(const std::string& command, Json fields) {
  fields["id"] = ++id_;
  fields["command"] = command;
  Json reply = ask_text(fields.dump());
  EXPECT_EQ(reply.at("id"), id_);
  return reply;
}

Json RunnerProcess::ask_text(const std::string& line) {
  if (!channel_->send(line, soon())) {
    throw std::runtime_error("cannot send to the runner");
  }
  return receive(*channel_);
}

Json RunnerProcess::load(const model::Graph& graph, const model::Recipe& recipe, const std::string& mode,
                         std::int64_t partial, int threads) {
  return ask("load", {{"graph", Json::parse(model::to_json(graph))},
                      {"recipe", Json::parse(model::to_json(recipe))},
                      {"mode", mode},
                      {"device", "cpu"},
                      {"precision", "fp32"},
                      {"threads", threads},
                      {"batch", recipe.batch},
                      {"partial", partial},
                      {"knobs", Json::object()}});
}

void RunnerProcess::hang_up() {
  channel_.reset();
}

int RunnerProcess::wait_for_exit() {
  const int pidfd = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  pollfd waited = {pidfd, POLLIN, 0};
  const bool ended = poll(&waited, 1, 60'000) == 1;
  close(pidfd);
  if (!ended) {
    return -1;
  }
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

model::Recipe recipe_of(std::int64_t batch) {
  model::Recipe recipe;
  recipe.batch = batch;
  return recipe;
}

protocol::ArenaPlan plan_for(const model::Graph& graph, std::uint32_t slots, std::int64_t rows) {
  protocol::ArenaPlan plan;
  for (const model::Parameter& entry : model::parameters(graph)) {
    plan.parameters.push_back({entry.name, entry.shape});
  }
  plan.slots = slots;
  const bool tokens = model::input_kind(graph) == model::InputKind::tokens;
  plan.input_bytes = static_cast<std::uint64_t>(rows * model::element_count(graph.input_shape)) *
                     (tokens ? sizeof(std::int64_t) : sizeof(float));
  plan.target_bytes = static_cast<std::uint64_t>(rows * graph.targets_per_sample) * sizeof(std::int64_t);
  plan.output_bytes =
      static_cast<std::uint64_t>(rows * model::element_count(model::logits_shape(graph))) * sizeof(float);
  plan.step_capacity = 64;
  return plan;
}

namespace {

// Elements are floats, or tokens.
template <typename Element>
void copy_to_slot(protocol::Arena& arena, std::uint32_t k, const std::vector<Element>& input,
                  const std::vector<std::int64_t>& target, std::uint64_t rows) {
  const protocol::Slot slot = arena.slot(k);
  const std::size_t input_bytes = input.size() * sizeof(Element);
  const std::size_t target_bytes = target.size() * sizeof(std::int64_t);
  std::memcpy(slot.input.data(), input.data(), input_bytes);
  std::memcpy(slot.target.data(), target.data(), target_bytes);
  arena.set_rows(k, rows, input_bytes, target_bytes);
}

}  // namespace

void fill_slot(protocol::Arena& arena, std::uint32_t k, const std::vector<float>& input,
               const std::vector<std::int64_t>& target) {
  copy_to_slot(arena, k, input, target, target.size());
}

void fill_slot(protocol::Arena& arena, std::uint32_t k, const model::Batch& batch, model::InputKind kind) {
  const auto rows = static_cast<std::uint64_t>(batch.input.shape.at(0));
  const std::vector<float>& values = batch.input.values;
  if (kind == model::InputKind::tokens) {
    copy_to_slot(arena, k, std::vector<std::int64_t>(values.begin(), values.end()), batch.target, rows);
  } else {
    copy_to_slot(arena, k, values, batch.target, rows);
  }
}

void fill_rates(protocol::Arena& arena, const std::vector<double>& rates) {
  std::ranges::copy(rates, arena.rates().begin());
}

void put_parameters(protocol::Arena& arena, const std::vector<std::vector<float>>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::ranges::copy(values[i], arena.parameter_in(i).begin());
  }
}

std::vector<float> parameter(const protocol::Arena& arena, std::size_t i) {
  const auto values = arena.parameter_out(i);
  return {values.begin(), values.end()};
}

}  // namespace dlbench::runner_sdk_test
