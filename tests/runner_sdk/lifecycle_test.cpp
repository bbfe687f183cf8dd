// Each null and template runner from its description to its exit: what the host relies on, in every language.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "model/builder.hpp"
#include "model/op_spec.hpp"
#include "model/optimizer_spec.hpp"
#include "runner_sdk/runner_process.hpp"

namespace dlbench::runner_sdk_test {
namespace {

using model::count;

// 3 inputs, 4 hidden, 2 classes.
model::Graph small_graph() {
  return model::Builder("small", {3})
      .add("hidden", "dense", {{"out_features", count(4)}})
      .add("active", "relu")
      .add("score", "dense", {{"out_features", count(2)}})
      .finish();
}

class Lifecycle : public testing::TestWithParam<RunnerUnderTest> {
 protected:
  void SetUp() override {
    const std::string reason = why_not(GetParam());
    if (!reason.empty()) {
      GTEST_SKIP() << reason;
    }
    runner_ = std::make_unique<RunnerProcess>(GetParam(), plan_for(graph_, 3, 2));
    fill_slot(runner_->arena(), 0, {1, 2, 3, 4, 5, 6}, {0, 1});
    fill_slot(runner_->arena(), 1, {6, 5, 4, 3, 2, 1}, {1, 0});
    fill_slot(runner_->arena(), 2, {0.5F, -0.5F, 0.25F}, {1});
    fill_rates(runner_->arena(), std::vector<double>(64, 0.01));
  }

  void load_and_put() {
    ASSERT_TRUE(runner_->load(graph_, recipe_of(2)).at("ok"));
    put_parameters(runner_->arena(), weights_);
    ASSERT_TRUE(runner_->ask("put").at("ok"));
  }

  void expect_failure(const Json& reply, const std::string& outcome, const std::string& part_of_reason) {
    EXPECT_FALSE(reply.at("ok"));
    EXPECT_EQ(reply.at("outcome"), outcome);
    EXPECT_THAT(reply.at("reason").get<std::string>(), testing::HasSubstr(part_of_reason));
  }

  const model::Graph graph_ = small_graph();
  // Values that a copy through another type or order would change: signed zero, the smallest denormal, the
  // extremes.
  const std::vector<std::vector<float>> weights_ = {
      {0.1F, -0.0F, 1.0F / 3.0F, std::numeric_limits<float>::denorm_min(), -2, 3, -4, 5, 6, -7, 8, 9},
      {1e-30F, -1, 2, 3},
      {std::numeric_limits<float>::min(), -0.25F, 0.75F, 1, 2, 3, 4, 5},
      {16777217.0F, -1e30F}};
  std::unique_ptr<RunnerProcess> runner_;
};

TEST_P(Lifecycle, DescribesItself) {
  const Json& description = runner_->description();
  EXPECT_EQ(description.at("abi"), DLB_ABI);
  EXPECT_EQ(description.at("runner"), GetParam().name);
  EXPECT_EQ(description.at("language"), GetParam().language);
  EXPECT_TRUE(description.at("framework").is_string());
  EXPECT_TRUE(description.at("version").is_string());
  EXPECT_TRUE(description.at("build").is_string());
  EXPECT_THAT(description.at("ops"), testing::Contains("dense"));
  EXPECT_THAT(description.at("optimizers").get<std::vector<std::string>>(), testing::Contains("sgd"));
  EXPECT_EQ(description.at("devices"), Json::array({"cpu"}));
  EXPECT_EQ(description.at("precisions"), Json::array({"fp32"}));
  EXPECT_EQ(description.at("deviations"), Json::array());
  EXPECT_THAT((std::set<std::string>{"alias", "copy", "transfer"}),
              testing::Contains(description.at("input").get<std::string>()));
}

TEST_P(Lifecycle, LoadReportsStructureAndSettings) {
  const Json reply = runner_->load(graph_, recipe_of(2));
  ASSERT_TRUE(reply.at("ok")) << reply;
  EXPECT_EQ(reply.at("parameters"), Json::parse(R"([{"name":"hidden.weight","shape":[4,3]},
      {"name":"hidden.bias","shape":[4]},{"name":"score.weight","shape":[2,4]},{"name":"score.bias","shape":[2]}])"));
  EXPECT_EQ(reply.at("logits"), Json::array({2}));
  EXPECT_GE(reply.at("build_ns").get<std::int64_t>(), 0);
  bool has_threads = false;
  for (const Json& setting : reply.at("effective")) {
    EXPECT_TRUE(setting.at("source").is_string());
    has_threads = has_threads || (setting.at("name") == "threads" && setting.at("value") == "1");
  }
  EXPECT_TRUE(has_threads) << reply;
}

TEST_P(Lifecycle, ParametersComeBackBitForBit) {
  load_and_put();
  ASSERT_TRUE(runner_->ask("get").at("ok"));
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    EXPECT_TRUE(runner_->arena().written(i));
    const std::vector<float> back = parameter(runner_->arena(), i);
    ASSERT_EQ(back.size(), weights_[i].size());
    EXPECT_EQ(std::memcmp(back.data(), weights_[i].data(), back.size() * sizeof(float)), 0)
        << "parameter " << i;
  }
}

TEST_P(Lifecycle, TrainRecordsEveryStep) {
  load_and_put();
  // Seven steps over three slots: the ring wraps, and slot 2 holds a partial batch.
  const Json reply = runner_->ask("train", {{"steps", 7}, {"drain", "ends"}, {"loss_every", 2}});
  ASSERT_TRUE(reply.at("ok")) << reply;
  EXPECT_EQ(reply.at("steps"), 7);
  protocol::Arena& arena = runner_->arena();
  EXPECT_EQ(arena.completed_steps(), 7U);
  const auto records = arena.records();
  ASSERT_EQ(records.size(), 7U);
  std::int64_t previous_ns = arena.header().window_begin_ns;
  for (std::size_t i = 0; i < records.size(); ++i) {
    EXPECT_GE(records[i].begin_ns, previous_ns);
    EXPECT_GE(records[i].end_ns, records[i].begin_ns);
    previous_ns = records[i].end_ns;
    EXPECT_EQ(records[i].loss_valid, i % 2 == 1 ? 1U : 0U) << "step " << i;
  }
  EXPECT_GE(arena.header().window_end_ns, previous_ns);
  EXPECT_GE(arena.header().cpu_end_ns, arena.header().cpu_begin_ns);
}

TEST_P(Lifecycle, DrainedChunksAndEmptyChunksWork) {
  load_and_put();
  EXPECT_TRUE(runner_->ask("train", {{"steps", 4}, {"drain", "each"}, {"loss_every", 0}}).at("ok"));
  EXPECT_EQ(runner_->arena().completed_steps(), 4U);
  const Json empty = runner_->ask("train", {{"steps", 0}, {"drain", "ends"}, {"loss_every", 0}});
  EXPECT_TRUE(empty.at("ok"));
  EXPECT_TRUE(empty.at("loss").is_null());
  EXPECT_EQ(runner_->arena().completed_steps(), 0U);
}

TEST_P(Lifecycle, InferStoresTheLogitsOfTheRowsPresent) {
  load_and_put();
  put_parameters(
      runner_->arena(),
      {std::vector<float>(12, 0.5F), std::vector<float>(4, 0.0F), std::vector<float>(8, 0.5F), {0.0F, 0.0F}});
  ASSERT_TRUE(runner_->ask("put").at("ok"));
  const float untouched = 77.0F;
  for (std::uint32_t k = 0; k < 3; ++k) {
    const auto output = runner_->arena().slot(k).output;
    const std::vector<float> marks(output.size() / sizeof(float), untouched);
    std::memcpy(output.data(), marks.data(), output.size());
  }
  const Json reply = runner_->ask("infer", {{"steps", 3}, {"drain", "ends"}, {"store", true}});
  ASSERT_TRUE(reply.at("ok")) << reply;
  EXPECT_EQ(runner_->arena().completed_steps(), 3U);
  // All weights are 0.5: each of the 4 hidden units is half the sum of the row, each logit is 4 * 0.5 * that.
  const bool computes = GetParam().name.starts_with("template");
  std::vector<float> logits(4);
  std::memcpy(logits.data(), runner_->arena().slot(0).output.data(), sizeof(float) * 4);
  EXPECT_EQ(logits, computes ? std::vector<float>({6, 6, 15, 15}) : std::vector<float>(4, 0.0F));
  std::memcpy(logits.data(), runner_->arena().slot(2).output.data(), sizeof(float) * 4);
  EXPECT_EQ(logits[0], computes ? 0.25F : 0.0F);
  EXPECT_EQ(logits[2], untouched);
  EXPECT_EQ(logits[3], untouched);
}

TEST_P(Lifecycle, InspectNamesSettingsAndLibraries) {
  load_and_put();
  const Json reply = runner_->ask("inspect");
  ASSERT_TRUE(reply.at("ok")) << reply;
  EXPECT_FALSE(reply.at("effective").empty());
  EXPECT_TRUE(reply.at("libraries").is_array());
}

TEST_P(Lifecycle, RefusesAnUnknownOpAndGoesOn) {
  const Json graph =
      Json::parse(R"({"name":"words","input_shape":[3],"vocabulary":0,"class_count":3,"targets_per_sample":1,
      "nodes":[
      {"name":"memory","op":"attention","inputs":["input"],"attributes":{},"output_shape":[3],"parameters":[],"macs":0},
      {"name":"loss","op":"softmax_cross_entropy","inputs":["memory"],"attributes":{},"output_shape":[],
       "parameters":[],"macs":0}]})");
  Json fields = {{"graph", graph},
                 {"mode", "train"},
                 {"device", "cpu"},
                 {"precision", "fp32"},
                 {"threads", 1},
                 {"batch", 2},
                 {"partial", 0},
                 {"knobs", Json::object()},
                 {"recipe", Json::parse(R"({"batch":2,"initialiser":{"name":"xavier_uniform_fan_in","seed":1},
                   "optimizer":{"name":"sgd","form":"rate_outside","momentum":0.0,"weight_decay":0.0,
                   "decay_bias":true},"rate":{"policy":"fixed","base":0.01}})")}};
  const Json reply = runner_->ask("load", fields);
  expect_failure(reply, "UNSUPPORTED", "op attention");
  EXPECT_EQ(reply.at("reason"), "op attention");
  load_and_put();
}

TEST_P(Lifecycle, RefusesWhatItsDescriptionDoesNotClaim) {
  model::Recipe recipe = recipe_of(2);
  Json fields = {{"mode", "train"}, {"device", "cpu"}, {"precision", "fp32"},
                 {"threads", 1},    {"batch", 2},      {"partial", 0}};
  RunnerProcess& runner = *runner_;
  ASSERT_TRUE(runner.load(graph_, recipe).at("ok"));
  recipe.optimizer.name = "sgd";
  Json base = {
      {"graph",
       Json::parse(R"({"name":"one","input_shape":[3],"vocabulary":0,"class_count":2,"targets_per_sample":1,
      "nodes":[
      {"name":"score","op":"dense","inputs":["input"],"attributes":{"bias":false,"out_features":2},"output_shape":[2],
       "parameters":[{"name":"score.weight","role":"weight","shape":[2,3],"fan_in":3,"fan_out":2}],"macs":6},
      {"name":"loss","op":"softmax_cross_entropy","inputs":["score"],"attributes":{},"output_shape":[],
       "parameters":[],"macs":0}]})")},
      {"recipe", Json::parse(R"({"batch":2,"initialiser":{"name":"xavier_uniform_fan_in","seed":1},
                   "optimizer":{"name":"sgd","form":"rate_outside","momentum":0.0,"weight_decay":0.0,
                   "decay_bias":true},"rate":{"policy":"fixed","base":0.01}})")}};
  fields.update(base);
  Json on_gpu = fields;
  on_gpu["device"] = "gpu";
  expect_failure(runner.ask("load", on_gpu), "UNSUPPORTED", "device gpu");
  Json in_bf16 = fields;
  in_bf16["precision"] = "bf16";
  expect_failure(runner.ask("load", in_bf16), "UNSUPPORTED", "precision bf16");
  Json looking_ahead = fields;
  looking_ahead["recipe"]["optimizer"]["nesterov"] = true;
  looking_ahead["recipe"]["optimizer"]["momentum"] = 0.5;
  expect_failure(runner.ask("load", looking_ahead), "UNSUPPORTED", "optimizer nesterov");
  Json clipped = fields;
  clipped["recipe"]["clip"] = {{"by", "element"}, {"limit", 1.0}};
  expect_failure(runner.ask("load", clipped), "UNSUPPORTED", "optimizer clip=element");
  Json averaged = fields;
  averaged["recipe"]["weight_ema"] = {{"decay", 0.5}, {"ramp", false}};
  expect_failure(runner.ask("load", averaged), "UNSUPPORTED", "optimizer weight_ema");
  // A failed load has also forgotten the session before it.
  expect_failure(runner.ask("put"), "PROTOCOL", "nothing is loaded");
  EXPECT_TRUE(runner.ask("load", fields).at("ok"));
}

TEST_P(Lifecycle, RefusesCommandsOutOfPlace) {
  expect_failure(runner_->ask("train", {{"steps", 1}, {"drain", "ends"}}), "PROTOCOL", "nothing is loaded");
  expect_failure(runner_->ask("dance"), "PROTOCOL", "dance");
  const Json reply = runner_->ask_text("{not json");
  expect_failure(reply, "PROTOCOL", "");
  load_and_put();
  expect_failure(runner_->ask("train", {{"steps", 65}, {"drain", "ends"}}), "PROTOCOL", "more steps");
  expect_failure(runner_->ask("train", {{"steps", -1}, {"drain", "ends"}}), "PROTOCOL", "steps");
  expect_failure(runner_->ask("train", {{"steps", 1}, {"drain", "never"}}), "PROTOCOL", "drain");
  expect_failure(runner_->ask("infer", {{"steps", 1}, {"drain", "ends"}}), "PROTOCOL", "store");
  EXPECT_TRUE(runner_->ask("train", {{"steps", 1}, {"drain", "ends"}}).at("ok"));
}

TEST_P(Lifecycle, RefusesMoreRowsThanWereLoaded) {
  ASSERT_TRUE(runner_->load(graph_, recipe_of(1)).at("ok"));
  expect_failure(runner_->ask("train", {{"steps", 1}, {"drain", "ends"}}), "PROTOCOL", "slot 0");
}

TEST_P(Lifecycle, QuitsWithExitCodeZero) {
  load_and_put();
  EXPECT_TRUE(runner_->ask("quit").at("ok"));
  EXPECT_EQ(runner_->wait_for_exit(), 0);
}

TEST_P(Lifecycle, LeavesQuietlyWhenTheHostHangsUp) {
  runner_->hang_up();
  EXPECT_EQ(runner_->wait_for_exit(), 0);
}

INSTANTIATE_TEST_SUITE_P(Null, Lifecycle, testing::ValuesIn(null_runners()), test_name);
INSTANTIATE_TEST_SUITE_P(Template, Lifecycle, testing::ValuesIn(template_runners()), test_name);

// The null runners stand for every framework, so each must claim every operator and optimizer there is.
TEST(NullRunners, ClaimEveryOperatorAndOptimizer) {
  std::set<std::string> all_ops;
  for (const model::OpSpec& op : model::builtin_ops()) {
    all_ops.insert(op.name);
  }
  std::set<std::string> all_optimizers;
  for (const model::OptimizerSpec& optimizer : model::builtin_optimizers()) {
    all_optimizers.insert(optimizer.name);
  }
  for (const RunnerUnderTest& runner : null_runners()) {
    if (!why_not(runner).empty()) {
      continue;
    }
    RunnerProcess process(runner, plan_for(small_graph(), 1, 1));
    EXPECT_EQ(process.description().at("ops").get<std::set<std::string>>(), all_ops) << runner.name;
    EXPECT_EQ(process.description().at("optimizers").get<std::set<std::string>>(), all_optimizers)
        << runner.name;
  }
}

TEST(NullRunners, ReportTheLossOfAGuess) {
  for (const RunnerUnderTest& runner : null_runners()) {
    if (!why_not(runner).empty()) {
      continue;
    }
    RunnerProcess process(runner, plan_for(small_graph(), 1, 1));
    fill_slot(process.arena(), 0, {1, 2, 3}, {0});
    fill_rates(process.arena(), {0.1});
    ASSERT_TRUE(process.load(small_graph(), recipe_of(1)).at("ok"));
    const Json reply = process.ask("train", {{"steps", 1}, {"drain", "ends"}});
    // ln 2, to every digit: replies must not shorten numbers.
    EXPECT_EQ(reply.at("loss").get<double>(), std::log(2.0)) << runner.name;
  }
}

}  // namespace
}  // namespace dlbench::runner_sdk_test
