// Sessions with the scripted runner of tests/fixtures/runners.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "process/support.hpp"
#include "session/session.hpp"

namespace dlbench::session::testing {

using process::testing::carriers;
using process::testing::eventually;
using process::testing::read_file;

inline std::string scripted_runner() {
  return std::string(DLBENCH_BINARY_DIR) + "/bin/scripted_runner";
}

class SessionTest : public ::testing::Test {
 protected:
  void SetUp() override { process::become_reaper(); }
  // However a test ended: nothing of its runs may be left.
  void TearDown() override { EXPECT_TRUE(carriers(token_).empty()); }

  static protocol::ArenaPlan plan() {
    protocol::ArenaPlan made;
    made.parameters = {{"dense.weight", {10, 4}}, {"dense.bias", {10}}};
    made.slots = 2;
    made.input_bytes = 64;
    made.target_bytes = 64;
    made.output_bytes = 64;
    made.step_capacity = 100;
    return made;
  }

  // Long enough that only a broken program meets them.
  static Timeouts patient() {
    const std::chrono::milliseconds minute(60'000);
    return {minute, minute, minute, minute};
  }

  process::LaunchSpec spec(const std::string& behaviour, const std::string& place = "train") {
    process::LaunchSpec made;
    made.launcher = process::testing::launcher();
    made.command = {scripted_runner(), behaviour, place};
    made.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C"};
    made.run_token = token_;
    made.output_path = folder_.file("output");
    return made;
  }

  Expected<std::unique_ptr<Session>> start(const std::string& behaviour, const std::string& place = "train",
                                           const Timeouts& timeouts = patient()) {
    return Session::start(spec(behaviour, place), plan(), timeouts, 0, keep_folder_);
  }

  static LoadRequest load_request() {
    LoadRequest request;
    request.graph_json = R"({"ops":[]})";
    request.recipe_json = R"({"batch":4})";
    request.batch = 4;
    request.knobs = {{"threads", "1"}};
    return request;
  }

  // The failure of one whole conversation: start, load, put, train 10, get, infer 2, inspect, quit.
  Failure failure_of(const std::string& behaviour, const std::string& place = "train",
                     const Timeouts& timeouts = patient()) {
    auto session = start(behaviour, place, timeouts);
    return session ? first_failure(**session) : session.error();
  }

  static Failure first_failure(Session& session) {
    if (auto done = session.load(load_request()); !done) {
      return done.error();
    }
    if (auto done = session.put(); !done) {
      return done.error();
    }
    if (auto done = session.train(10, Drain::ends); !done) {
      return done.error();
    }
    if (auto done = session.get(); !done) {
      return done.error();
    }
    if (auto done = session.infer(2, Drain::each, true); !done) {
      return done.error();
    }
    if (auto done = session.inspect(); !done) {
      return done.error();
    }
    if (auto done = session.quit(); !done) {
      return done.error();
    }
    return {"OK", "", false};
  }

  process::testing::TemporaryFolder folder_;
  std::string keep_folder_;
  std::string token_ = process::testing::unique_token("session");
};

}  // namespace dlbench::session::testing
