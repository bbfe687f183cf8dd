#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "gate/runs.hpp"
#include "gate/sample_recipes.hpp"
#include "gate/sample_work.hpp"
#include "host/runner_experiment.hpp"

namespace dlbench::gate {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const Plan& small_plan() {
  static const Plan plan = make_plan(sample_work(testing::small_net(), 12, 5));
  return plan;
}

// Running statistics and dropout.
const Plan& noisy_plan() {
  using model::count;
  static const Plan plan = make_plan(
      sample_work(model::Builder("noisy_net", {2, 6, 6})
                      .add("conv", "conv2d", {{"out_channels", count(4)}, {"kernel", model::extents({3, 3})}})
                      .add("norm", "batch_norm")
                      .add("relu", "relu")
                      .add("flat", "flatten")
                      .add("drop", "dropout", {{"rate", 0.25}})
                      .add("score", "dense", {{"out_features", count(3)}})
                      .finish(),
                  12, 5));
  return plan;
}

// Tokens, two layers, a target for each position.
const Plan& recurrent_plan() {
  using model::count;
  static const Plan plan = make_plan(
      sample_work(model::Builder("recurrent_net", {5}, 12)
                      .add("words", "embedding", {{"vocabulary", count(12)}, {"features", count(4)}})
                      .add("first", "lstm", {{"hidden", count(6)}})
                      .add("second", "lstm", {{"hidden", count(5)}})
                      .add("score", "dense", {{"out_features", count(12)}})
                      .finish(),
                  12, 5));
  return plan;
}

// Evaluation with moving averages.
const Plan& averaging_plan() {
  static const Plan plan = [] {
    Work work = sample_work(testing::small_net(), 12, 5);
    work.recipe = *sample_recipe("weight_ema", work.recipe);
    return make_plan(work);
  }();
  return plan;
}

class FloatOracleRunner : public ::testing::Test {
 protected:
  FloatOracleRunner()
      : folder_(std::filesystem::temp_directory_path() /
                ("dlbench-gate-" + std::to_string(::getpid()) + "-" + std::to_string(count_++))) {
    std::filesystem::create_directories(folder_);
  }
  ~FloatOracleRunner() override {
    std::error_code ignored;  // a folder left behind in /tmp is no reason to end the tests
    std::filesystem::remove_all(folder_, ignored);
  }

  // Every expectation of the plan, done by a runner with these arguments; the work goes through `fault` if
  // there is one.
  testing::Results serve(const Plan& plan, const std::vector<std::string>& arguments, const Fault* fault) {
    std::vector<Experiment> experiments;
    for (const Expectation& expectation : plan.expectations) {
      experiments.push_back(expectation.experiment);
      if (fault != nullptr) {
        if (auto work = fault->apply(expectation.experiment)) {
          experiments.back() = std::move(work->experiment);
        }
      }
    }
    process::LaunchSpec spec;
    spec.launcher = DLBENCH_TEST_LAUNCHER;
    spec.command = {DLBENCH_TEST_RUNNER};
    spec.command.insert(spec.command.end(), arguments.begin(), arguments.end());
    spec.environment = {"OPENBLAS_NUM_THREADS=1"};
    spec.run_token = "gate-" + std::to_string(::getpid());
    spec.working_directory = folder_;
    spec.output_path = folder_ / "log";
    auto session = session::Session::start(spec, host::arena_plan_for(experiments.front()), {},
                                           host::arena_bytes_for(experiments));
    if (!session) {
      ADD_FAILURE() << session.error().reason;
      return {};
    }
    description_ = (*session)->description();
    return converse(**session, experiments);
  }

  testing::Results converse(session::Session& session, const std::vector<Experiment>& experiments) {
    testing::Results results;
    for (const Experiment& experiment : experiments) {
      EXPECT_TRUE(session.arena().lay_out(host::arena_plan_for(experiment)));
      const auto loaded = session.load(host::load_request_for(experiment, 1));
      EXPECT_TRUE(loaded.has_value()) << (loaded ? "" : loaded.error().reason);
      std::vector<Result>& repeats = results.emplace_back();
      for (int i = 0; i < experiment.repeats; ++i) {
        auto result = host::perform_once(session, experiment);
        EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().reason);
        repeats.push_back(result ? std::move(*result) : Result{});
      }
    }
    return results;
  }

  record::Certificate verify(const std::vector<std::string>& arguments, const Fault* fault = nullptr,
                             const Plan& plan = small_plan()) {
    const testing::Results results = serve(plan, arguments, fault);
    return judge(plan, results, description_.deviations);
  }

 private:
  static inline int count_ = 0;
  std::filesystem::path folder_;
  session::Description description_;
};

TEST_F(FloatOracleRunner, PassesAndIsRepeatable) {
  const record::Certificate certificate = verify({});
  EXPECT_EQ(certificate.verdict, record::Verdict::pass) << certificate.reason;
  EXPECT_TRUE(certificate.notes.empty());
}

TEST_F(FloatOracleRunner, OtherRoundingsPass) {
  const record::Certificate certificate = verify({"--variation", "91"});
  EXPECT_EQ(certificate.verdict, record::Verdict::pass) << certificate.reason;
}

TEST_F(FloatOracleRunner, WrongArithmeticIsNamed) {
  const std::vector<std::pair<std::string, std::string>> cases = {{"weight_race", "weight_race: "},
                                                                  {"dampening", "dampening: "},
                                                                  {"ties_all", "ties_to_all: "},
                                                                  {"rate_inside", "other_momentum_form: "},
                                                                  {"sum_over_batch", "sum_for_mean: "}};
  for (const auto& [arithmetic, diagnosis] : cases) {
    const record::Certificate certificate = verify({"--arithmetic", arithmetic});
    EXPECT_EQ(certificate.verdict, record::Verdict::mismatch) << arithmetic;
    EXPECT_THAT(certificate.diagnosis, StartsWith(diagnosis)) << certificate.reason;
  }
}

TEST_F(FloatOracleRunner, StatisticsAndMasksPassAndTheirFaultsAreNamed) {
  const record::Certificate right = verify({}, nullptr, noisy_plan());
  EXPECT_EQ(right.verdict, record::Verdict::pass) << right.reason;
  EXPECT_THAT(right.notes, ::testing::Contains(HasSubstr("dropout rate 0")));
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"statistics_frozen", "statistics_frozen: "},
      {"batch_statistics_always", "batch_statistics_in_evaluation: "},
      {"dropout_one_mask", "dropout_one_mask: "},
      {"dropout_in_evaluation", "dropout_in_evaluation: "}};
  for (const auto& [arithmetic, diagnosis] : cases) {
    const record::Certificate certificate = verify({"--arithmetic", arithmetic}, nullptr, noisy_plan());
    EXPECT_EQ(certificate.verdict, record::Verdict::mismatch) << arithmetic;
    EXPECT_THAT(certificate.diagnosis, StartsWith(diagnosis)) << certificate.reason;
  }
  for (const char* id : {"dropout_never", "dropout_swapped"}) {
    const record::Certificate certificate = verify({}, &testing::fault(id), noisy_plan());
    EXPECT_THAT(certificate.diagnosis, StartsWith(std::string(id) + ": ")) << certificate.reason;
  }
}

TEST_F(FloatOracleRunner, RecurrentNetworksPassAndTheirFaultsAreNamed) {
  const record::Certificate right = verify({}, nullptr, recurrent_plan());
  EXPECT_EQ(right.verdict, record::Verdict::pass) << right.reason;
  for (const char* id : {"double_bias", "forget_bias_added"}) {
    const record::Certificate wrong = verify({"--arithmetic", id}, nullptr, recurrent_plan());
    EXPECT_EQ(wrong.verdict, record::Verdict::mismatch) << id;
    EXPECT_THAT(wrong.diagnosis, StartsWith(std::string(id) + ": ")) << wrong.reason;
  }
  const record::Certificate swapped = verify({}, &testing::fault("swapped_gates"), recurrent_plan());
  EXPECT_THAT(swapped.diagnosis, StartsWith("swapped_gates: ")) << swapped.reason;
  const record::Certificate declared =
      verify({"--arithmetic", "double_bias", "--declare", "double_bias"}, nullptr, recurrent_plan());
  EXPECT_EQ(declared.deviations, std::vector<std::string>{"double_bias"}) << declared.reason;
}

TEST_F(FloatOracleRunner, WhatIsEvaluatedAfterTrainingIsProved) {
  const record::Certificate right = verify({}, nullptr, averaging_plan());
  EXPECT_EQ(right.verdict, record::Verdict::pass) << right.reason;
  const record::Certificate ignored = verify({"--arithmetic", "average_ignored"}, nullptr, averaging_plan());
  EXPECT_THAT(ignored.diagnosis, StartsWith("average_ignored: ")) << ignored.reason;
  EXPECT_THAT(ignored.reason, HasSubstr("ip2 in evaluation mode"));
  const record::Certificate stale = verify({"--arithmetic", "stale_evaluation"});
  EXPECT_THAT(stale.diagnosis, StartsWith("stale_evaluation: ")) << stale.reason;
}

TEST_F(FloatOracleRunner, ADeclaredBiasedVariancePasses) {
  const record::Certificate alone = verify({"--arithmetic", "ema_biased"}, nullptr, noisy_plan());
  EXPECT_EQ(alone.verdict, record::Verdict::mismatch);
  const record::Certificate declared =
      verify({"--arithmetic", "ema_biased", "--declare", "ema_biased"}, nullptr, noisy_plan());
  EXPECT_EQ(declared.deviations, std::vector<std::string>{"ema_biased"}) << declared.reason;
}

TEST_F(FloatOracleRunner, ADeclaredTieRulePasses) {
  const record::Certificate certificate = verify({"--arithmetic", "ties_all", "--declare", "ties_all"});
  EXPECT_EQ(certificate.verdict, record::Verdict::pass_with_deviations) << certificate.reason;
}

TEST_F(FloatOracleRunner, NotANumberIsAMismatch) {
  const record::Certificate certificate = verify({"--arithmetic", "not_finite"});
  EXPECT_EQ(certificate.verdict, record::Verdict::mismatch);
  EXPECT_THAT(certificate.reason, HasSubstr("is not finite"));
}

TEST_F(FloatOracleRunner, MutatedWorkIsNamed) {
  for (const char* id : {"rate_times_ten", "decay_missing", "decay_doubled", "relu_on_logits",
                         "transposed_weight", "flipped_kernel", "wrong_order", "subset_2000"}) {
    const record::Certificate certificate = verify({}, &testing::fault(id));
    EXPECT_EQ(certificate.verdict, record::Verdict::mismatch) << id;
    EXPECT_THAT(certificate.diagnosis, StartsWith(std::string(id) + ": ")) << certificate.reason;
  }
}

}  // namespace
}  // namespace dlbench::gate
