// A workspace of its own, example rows, and raw access to doctor the file.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "store/store.hpp"

namespace dlbench::store::testing {

class StoreTest : public ::testing::Test {
 protected:
  StoreTest() {
    std::string name = (std::filesystem::temp_directory_path() / "dlbench-store-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    workspace_ = name;
  }
  ~StoreTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(workspace_, ignored);
  }

  [[nodiscard]] std::string path() const { return workspace_ + "/dlbench.db"; }

  // Runs SQL as somebody without dlbench would.
  void doctor(const std::string& sql) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path().c_str(), &database), SQLITE_OK);
    char* message = nullptr;
    const int code = sqlite3_exec(database, sql.c_str(), nullptr, nullptr, &message);
    EXPECT_EQ(code, SQLITE_OK) << sql << ": " << (message != nullptr ? message : "");
    sqlite3_free(message);
    sqlite3_close(database);
  }

  [[nodiscard]] int count(const std::string& from) const {
    sqlite3* database = nullptr;
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_open(path().c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_prepare_v2(database, ("SELECT count(*) FROM " + from).c_str(), -1, &statement, nullptr),
              SQLITE_OK);
    EXPECT_EQ(sqlite3_step(statement), SQLITE_ROW);
    const int result = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return result;
  }

  template <class Action>
  std::string refusal(Action action) const {
    try {
      action();
    } catch (const base::UserError& error) {
      return error.what();
    }
    return "accepted";
  }

  std::string workspace_;
};

inline StudyRow example_study(const std::string& id = "study-1") {
  return {.id = id,
          .name = "lenet",
          .text = "name: lenet\n",
          .plan_json = "{}",
          .begun = "2026-01-02T03:04:05Z",
          .environment_json = R"({"argv":["dlbench"]})"};
}

inline record::Case example_case(const std::string& id = "case-1", const std::string& framework = "torch") {
  record::Case result;
  result.id = id;
  result.study_phase = "throughput";
  result.framework = framework;
  result.version = "2.0";
  result.model = "lenet";
  result.dataset = "fashion-mnist";
  result.batch = 64;
  result.threads = 2;
  result.is_reference = framework == "reference";
  result.factors = {{"threads", "2"}, {"knob", "ä'\";--"}};
  return result;
}

inline record::Run example_run(const std::string& id = "run-1", const std::string& case_id = "case-1",
                               int block = 0) {
  record::Run run;
  run.id = id;
  run.case_id = case_id;
  run.block = block;
  run.begun = "2026-01-02T03:04:06Z";
  run.certificate_key = "key-1";
  run.command = "dlbench run --only 'x'";
  run.phases = {{"start", 10, 20}, {"build", 20, 35}};
  run.metrics = {{"step_time_ns", 1234567.5}, {"cpu_ratio", 1.97}};
  run.series = {{record::SeriesKind::w1_step, "ns", {1.0, 2.5, -0.0}}, {record::SeriesKind::loss, "nat", {}}};
  run.settings = {{"threads", "2", "requested"}, {"threads", "2", "host"}};
  run.machine_before = R"({"load":0.1})";
  run.machine_after = R"({"load":0.2})";
  run.output_tail = std::string("line\0 \xff\n", 8);
  return run;
}

inline record::Certificate example_certificate(const std::string& key = "key-1") {
  record::Certificate certificate;
  certificate.key = key;
  certificate.created = "2026-01-02T03:00:00Z";
  certificate.framework = "torch 2.0";
  certificate.verdict = record::Verdict::pass;
  certificate.checks = {{"function", "logits", "fc2", 1e-6, 1e-5, true}};
  certificate.certified_steps = 5;
  return certificate;
}

}  // namespace dlbench::store::testing
