// What is written comes back as it was.
#include <cmath>
#include <limits>

#include "store_fixture.hpp"

namespace dlbench::store::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class RoundTrip : public StoreTest {};

TEST_F(RoundTrip, OfNothing) {
  const auto store = Store::open(workspace_ + "/made/here");
  EXPECT_THAT(store->studies(), IsEmpty());
  EXPECT_THAT(store->cases("none"), IsEmpty());
  EXPECT_THAT(store->runs("none", true), IsEmpty());
  EXPECT_THAT(store->finished("none"), IsEmpty());
  EXPECT_EQ(store->certificate("none"), std::nullopt);
}

TEST_F(RoundTrip, OfStudiesInTheOrderOfAdding) {
  const auto store = Store::open(workspace_);
  store->add_study(example_study("z"));
  store->add_study(example_study("a"));
  StudyRow changed = example_study("z");
  changed.name = "another";
  store->add_study(changed);
  const auto rows = store->studies();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].id, "z");
  EXPECT_EQ(rows[0].name, "lenet");
  EXPECT_EQ(rows[0].text, "name: lenet\n");
  EXPECT_EQ(rows[0].plan_json, "{}");
  EXPECT_EQ(rows[0].begun, "2026-01-02T03:04:05Z");
  EXPECT_EQ(rows[0].environment_json, R"({"argv":["dlbench"]})");
  EXPECT_EQ(rows[1].id, "a");
}

TEST_F(RoundTrip, OfCases) {
  const auto store = Store::open(workspace_);
  store->add_study(example_study());
  store->add_study(example_study("other"));
  store->add_case("study-1", example_case("z"));
  store->add_case("study-1", example_case("a", "reference"));
  store->add_case("study-1", example_case("z", "ignored"));
  store->add_case("other", example_case("z", "elsewhere"));
  const auto cases = store->cases("study-1");
  ASSERT_EQ(cases.size(), 2U);
  EXPECT_EQ(cases[0].id, "z");
  EXPECT_EQ(cases[0].framework, "torch");
  EXPECT_EQ(cases[0].version, "2.0");
  EXPECT_EQ(cases[0].study_phase, "throughput");
  EXPECT_EQ(cases[0].model, "lenet");
  EXPECT_EQ(cases[0].dataset, "fashion-mnist");
  EXPECT_EQ(cases[0].batch, 64);
  EXPECT_EQ(cases[0].threads, 2);
  EXPECT_FALSE(cases[0].is_reference);
  EXPECT_THAT(cases[0].factors, ElementsAre(Pair("knob", "ä'\";--"), Pair("threads", "2")));
  EXPECT_TRUE(cases[1].is_reference);
  EXPECT_EQ(store->cases("other").at(0).framework, "elsewhere");
}

void expect_example(const record::Run& run) {
  const record::Run wanted = example_run();
  EXPECT_EQ(run.id, wanted.id);
  EXPECT_EQ(run.case_id, wanted.case_id);
  EXPECT_EQ(run.begun, wanted.begun);
  EXPECT_EQ(run.outcome.kind, record::OutcomeKind::ok);
  EXPECT_EQ(run.certificate_key, wanted.certificate_key);
  EXPECT_EQ(run.command, wanted.command);
  EXPECT_EQ(run.machine_before, wanted.machine_before);
  EXPECT_EQ(run.machine_after, wanted.machine_after);
  EXPECT_EQ(run.output_tail, wanted.output_tail);
  ASSERT_EQ(run.phases.size(), 2U);
  EXPECT_EQ(run.phases[1].phase, "build");
  EXPECT_EQ(run.phases[1].begin_ns, 20);
  EXPECT_EQ(run.phases[1].end_ns, 35);
  ASSERT_EQ(run.metrics.size(), 2U);
  EXPECT_EQ(run.metrics[0].id, "step_time_ns");
  EXPECT_EQ(run.metrics[0].value, 1234567.5);
  ASSERT_EQ(run.settings.size(), 2U);
  EXPECT_EQ(run.settings[1].source, "host");
}

TEST_F(RoundTrip, OfARunWithItsSeries) {
  const auto store = Store::open(workspace_);
  store->add_study(example_study());
  store->add_case("study-1", example_case());
  store->add_run("study-1", example_run());
  const auto runs = store->runs("study-1", true);
  ASSERT_EQ(runs.size(), 1U);
  expect_example(runs[0]);
  ASSERT_EQ(runs[0].series.size(), 2U);
  EXPECT_EQ(runs[0].series[0].kind, record::SeriesKind::w1_step);
  EXPECT_EQ(runs[0].series[0].unit, "ns");
  EXPECT_THAT(runs[0].series[0].values, ElementsAre(1.0, 2.5, -0.0));
  EXPECT_TRUE(std::signbit(runs[0].series[0].values[2]));
  EXPECT_EQ(runs[0].series[1].kind, record::SeriesKind::loss);
  EXPECT_THAT(runs[0].series[1].values, IsEmpty());
}

TEST_F(RoundTrip, LeavesSeriesOutUnlessAskedFor) {
  const auto store = Store::open(workspace_);
  store->add_study(example_study());
  store->add_case("study-1", example_case());
  store->add_run("study-1", example_run());
  expect_example(store->runs("study-1", false).at(0));
  EXPECT_THAT(store->runs("study-1", false).at(0).series, IsEmpty());
}

TEST_F(RoundTrip, OfNumbersThatAreNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto store = Store::open(workspace_);
  store->add_study(example_study());
  store->add_case("study-1", example_case());
  record::Run run = example_run();
  run.outcome = {record::OutcomeKind::nan, "loss of step 3"};
  run.certificate_key.clear();
  run.metrics = {{"final_loss", nan}, {"other", -infinity}};
  run.series = {{record::SeriesKind::loss, "nat", {1.0, nan, infinity}}};
  store->add_run("study-1", run);
  const record::Run back = store->runs("study-1", true).at(0);
  EXPECT_EQ(record::to_text(back.outcome), "NAN(loss of step 3)");
  EXPECT_EQ(back.certificate_key, "");
  EXPECT_TRUE(std::isnan(back.metrics[0].value));
  EXPECT_EQ(back.metrics[1].value, -infinity);
  EXPECT_TRUE(std::isnan(back.series[0].values[1]));
  EXPECT_EQ(back.series[0].values[2], infinity);
}

TEST_F(RoundTrip, OfEveryOutcome) {
  const auto store = Store::open(workspace_);
  store->add_study(example_study());
  store->add_case("study-1", example_case());
  for (int kind = 0; kind <= static_cast<int>(record::OutcomeKind::invalid); ++kind) {
    record::Run run = example_run("run-" + std::to_string(kind), "case-1", kind);
    run.outcome = {static_cast<record::OutcomeKind>(kind), "why"};
    store->add_run("study-1", run);
  }
  int kind = 0;
  for (const record::Run& run : store->runs("study-1", false)) {
    EXPECT_EQ(static_cast<int>(run.outcome.kind), kind);
    EXPECT_EQ(run.block, kind++);
  }
}

TEST_F(RoundTrip, FinishedIsAllButInvalid) {
  const auto store = Store::open(workspace_);
  store->add_study(example_study());
  store->add_case("study-1", example_case("a"));
  store->add_case("study-1", example_case("b"));
  const auto add = [&store](const std::string& id, int block, record::OutcomeKind kind, int attempt) {
    record::Run run = example_run(id + std::to_string(block) + std::to_string(attempt), id, block);
    run.attempt = attempt;
    run.outcome.kind = kind;
    store->add_run("study-1", run);
  };
  add("a", 0, record::OutcomeKind::ok, 0);
  add("a", 1, record::OutcomeKind::invalid, 0);
  add("b", 0, record::OutcomeKind::crash, 0);
  add("b", 1, record::OutcomeKind::invalid, 0);
  add("b", 1, record::OutcomeKind::ok, 1);
  EXPECT_THAT(store->finished("study-1"), ElementsAre(Pair("a", 0), Pair("b", 0), Pair("b", 1)));
}

TEST_F(RoundTrip, OfCertificatesNewestFirst) {
  const auto store = Store::open(workspace_);
  store->add_certificate(example_certificate());
  store->add_certificate(example_certificate("key-2"));
  store->add_certificate(example_certificate());
  record::Certificate later = example_certificate();
  later.verdict = record::Verdict::mismatch;
  later.reason = "fc1 differs";
  EXPECT_EQ(store->certificate("key-1")->verdict, record::Verdict::pass);
  store->add_certificate(later);
  EXPECT_EQ(store->certificate("key-1")->verdict, record::Verdict::mismatch);
  EXPECT_EQ(store->certificate("key-1")->reason, "fc1 differs");
  EXPECT_EQ(store->certificate("key-2")->checks.at(0).tensor, "fc2");
  // Identical ones leave no second row, different ones leave both.
  EXPECT_EQ(count("certificates WHERE key = 'key-1'"), 2);
  EXPECT_EQ(count("certificates"), 3);
}

TEST_F(RoundTrip, SurvivesClosing) {
  {
    const auto store = Store::open(workspace_);
    store->add_study(example_study());
    store->add_case("study-1", example_case());
    store->add_run("study-1", example_run());
  }
  const auto again = Store::open(workspace_);
  expect_example(again->runs("study-1", true).at(0));
}

TEST_F(RoundTrip, BrokenReferencesAreBugs) {
  const auto store = Store::open(workspace_);
  EXPECT_THROW(store->add_case("nowhere", example_case()), base::Bug);
  store->add_study(example_study());
  EXPECT_THROW(store->add_run("study-1", example_run()), base::Bug);
  store->add_case("study-1", example_case());
  store->add_run("study-1", example_run());
  EXPECT_THROW(store->add_run("study-1", example_run()), base::Bug);
  EXPECT_EQ(store->runs("study-1", true).size(), 1U);
  store->add_run("study-1", example_run("run-2"));
}

}  // namespace
}  // namespace dlbench::store::testing
