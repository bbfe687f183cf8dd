// The reference runner against the fp64 oracle: every operator's test graphs, LeNet, and graphs whose fusions
// the test graphs do not reach.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "base/philox.hpp"
#include "gate/verification_batch.hpp"
#include "model/builder.hpp"
#include "model/op_spec.hpp"
#include "model/optimizer_spec.hpp"
#include "oracle/oracle.hpp"
#include "runner_sdk/runner_process.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::runner_sdk_test {
namespace {

using model::count;
using model::extents;

model::Attributes conv(std::int64_t channels, std::int64_t kernel, std::int64_t pad = 0) {
  return {{"out_channels", count(channels)},
          {"kernel", extents({kernel, kernel})},
          {"pads", extents({pad, pad, pad, pad})}};
}

model::Attributes pool(std::int64_t kernel, std::int64_t stride) {
  return {{"kernel", extents({kernel, kernel})}, {"stride", extents({stride, stride})}};
}

// Relus behind convolutions, before tiling and before overlapping pooling, before a flatten, behind a dense
// layer; three input channels; channel counts that fill oneDNN's blocks and others that do not.
model::Graph fused() {
  return model::Builder("fused", {3, 14, 12})
      .add("c1", "conv2d", conv(20, 3, 1))
      .add("r1", "relu")
      .add("p1", "max_pool", pool(2, 2))
      .add("c2", "conv2d", conv(33, 3))
      .add("r2", "relu")
      .add("p2", "max_pool", pool(3, 2))
      .add("c3", "conv2d", conv(16, 1))
      .add("r3", "relu")
      .add("flat", "flatten")
      .add("hidden", "dense", {{"out_features", count(17)}})
      .add("r4", "relu")
      .add("score", "dense", {{"out_features", count(5)}})
      .finish();
}

// Convolutions as matrix products with everything a window can do: pads, stride, dilation, and no bias.
model::Graph unrolled() {
  return model::Builder("unrolled", {5, 13, 11})
      .add("c1", "conv2d",
           {{"out_channels", count(9)},
            {"kernel", extents({5, 6})},
            {"pads", extents({2, 1, 0, 3})},
            {"dilation", extents({1, 2})},
            {"bias", false}})
      .add("c2", "conv2d",
           {{"out_channels", count(19)},
            {"kernel", extents({4, 4})},
            {"stride", extents({2, 3})},
            {"pads", extents({3, 2, 1, 3})}})
      .add("flat", "flatten")
      .add("score", "dense", {{"out_features", count(4)}, {"bias", false}})
      .finish();
}

// Operators on the input before anything has turned it into NHWC, and relus that nothing can take in.
model::Graph early() {
  return model::Builder("early", {2, 8, 8})
      .add("r0", "relu")
      .add("p0", "max_pool", pool(2, 2))
      .add("c1", "conv2d", {{"out_channels", count(6)}, {"kernel", extents({1, 1})}, {"bias", false}})
      .add("p1", "max_pool", pool(2, 2))
      .add("r1", "relu")
      .add("flat", "flatten")
      .add("r2", "relu")
      .add("score", "dense", {{"out_features", count(5)}})
      .finish();
}

// Recurrent layers on the input itself and on joined positions; so many classes that the loss is oneDNN's
// softmax and the sums of the bias's gradient are shared out.
model::Graph wide() {
  return model::Builder("wide", {3, 4})
      .add_from("left", "lstm", {"input"}, {{"hidden", count(5)}})
      .add_from("right", "dense", {"input"}, {{"out_features", count(5)}})
      .add("r1", "relu")
      .add_from("both", "concat", {"left", "r1"})
      .add("again", "lstm", {{"hidden", count(7)}})
      .add("score", "dense", {{"out_features", count(1100)}})
      .finish();
}

std::vector<model::Graph> graphs() {
  std::vector<model::Graph> all = {zoo::lenet(), fused(), unrolled(), early(), wide()};
  for (const model::OpSpec& op : model::builtin_ops()) {
    const std::vector<model::Graph> more = op.test_graphs();
    all.insert(all.end(), more.begin(), more.end());
  }
  // What it draws has no right result; the gate proves its masks by themselves.
  for (model::Graph& graph : all) {
    for (model::Node& node : graph.nodes) {
      if (node.op == "dropout") {
        node.attributes["rate"] = 0.0;
      }
    }
  }
  return all;
}

struct Case {
  model::Graph graph;
  std::int64_t rows = 0;
  int threads = 1;
  model::SgdForm form = model::SgdForm::rate_outside;
  std::string optimizer = "sgd";
  bool nesterov = false;
  model::Clip clip = {};
};

std::ostream& operator<<(std::ostream& out, const Case& entry) {
  return out << entry.graph.name;
}

// Three batches, the last one partial.
std::vector<model::Batch> drawn_batches(const Case& entry) {
  const base::Random random(5, base::Stream::verification);
  const auto vocabulary = static_cast<std::uint64_t>(entry.graph.vocabulary);
  std::uint64_t next = 0;
  std::vector<model::Batch> batches;
  for (const std::int64_t rows : {entry.rows, entry.rows, std::int64_t{3}}) {
    model::Batch batch;
    batch.input.shape = {rows};
    batch.input.shape.insert(batch.input.shape.end(), entry.graph.input_shape.begin(),
                             entry.graph.input_shape.end());
    for (std::int64_t i = 0; i < model::element_count(batch.input.shape); ++i) {
      batch.input.values.push_back(vocabulary > 0 ? static_cast<float>(random.below(next, vocabulary))
                                                  : static_cast<float>(random.normal(next)));
      ++next;
    }
    for (std::int64_t r = 0; r < rows * entry.graph.targets_per_sample; ++r) {
      batch.target.push_back(static_cast<std::int64_t>(
          random.below(next++, static_cast<std::uint64_t>(entry.graph.class_count))));
    }
    batches.push_back(std::move(batch));
  }
  return batches;
}

double largest(const std::vector<double>& values) {
  double result = 0.0;
  for (const double value : values) {
    result = std::max(result, std::fabs(value));
  }
  return result;
}

class Reference : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(DLBENCH_TEST_REFERENCE)) {
      GTEST_SKIP() << "the reference runner was not built: libdnnl-dev is not installed";
    }
    recipe_.batch = GetParam().rows;
    recipe_.clip = GetParam().clip;
    recipe_.optimizer = model::default_optimizer(GetParam().optimizer);
    recipe_.optimizer.nesterov = GetParam().nesterov;
    recipe_.optimizer.momentum = 0.9;
    recipe_.optimizer.weight_decay = 0.1;
    // Rounding decides no step where the divisor is this far from zero.
    recipe_.optimizer.epsilon = 0.01;
    recipe_.optimizer.initial_accumulator = 0.01;
    recipe_.optimizer.centered = true;
    recipe_.optimizer.decay_bias = GetParam().form == model::SgdForm::rate_inside;
    recipe_.optimizer.form = GetParam().form;
    weights_ = model::initial_weights(GetParam().graph, recipe_.initialiser);
    choose_batches();
    runner_ = std::make_unique<RunnerProcess>(RunnerUnderTest{"reference", "c++", DLBENCH_TEST_REFERENCE},
                                              plan_for(GetParam().graph, 3, GetParam().rows));
    const Json reply = runner_->load(GetParam().graph, recipe_, "train", 3, GetParam().threads);
    ASSERT_TRUE(reply.at("ok")) << reply;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      std::ranges::copy(weights_[i].values, runner_->arena().parameter_in(i).begin());
    }
    for (std::uint32_t k = 0; k < batches_.size(); ++k) {
      fill_slot(runner_->arena(), k, batches_[k], model::input_kind(GetParam().graph));
    }
    fill_rates(runner_->arena(), rates_);
    ASSERT_TRUE(runner_->ask("put").at("ok"));
  }

  // Nudged off the points where rounding, which differs from one processor to the next, decides a relu.
  void choose_batches() {
    gate::Experiment experiment;
    experiment.graph = GetParam().graph;
    experiment.recipe = recipe_;
    experiment.weights = weights_;
    experiment.batches = drawn_batches(GetParam());
    experiment.rates = rates_;
    gate::choose_batches(experiment, {.seed = 1, .first = 0, .count = 16});
    batches_ = std::move(experiment.batches);
  }

  void expect_movement(std::size_t i, const oracle::Values& expected) {
    const auto actual = runner_->arena().parameter_out(i);
    std::vector<double> moved;
    std::vector<double> error;
    for (std::size_t j = 0; j < expected.size(); ++j) {
      moved.push_back(expected[j] - static_cast<double>(weights_[i].values[j]));
      error.push_back(static_cast<double>(actual[j]) - expected[j]);
    }
    EXPECT_LT(largest(error), 2e-5 * std::max(largest(moved), 1e-3)) << "parameter " << i;
  }

  const std::vector<double> rates_ = {0.02, 0.02, 0.005};
  model::Recipe recipe_;
  model::Weights weights_;
  std::vector<model::Batch> batches_;
  std::unique_ptr<RunnerProcess> runner_;
};

// Three steps with momentum, decay, a changing rate and a partial batch.
TEST_P(Reference, TakesTheOraclesSteps) {
  ASSERT_TRUE(runner_->ask("train", {{"steps", 3}, {"drain", "ends"}, {"loss_every", 1}}).at("ok"));
  ASSERT_TRUE(runner_->ask("get").at("ok"));
  const oracle::Trajectory expected =
      oracle::train(GetParam().graph, recipe_, weights_, batches_, rates_, oracle::Precision::fp64);
  for (std::size_t k = 0; k < batches_.size(); ++k) {
    EXPECT_NEAR(runner_->arena().records()[k].loss, expected.losses[k], 2e-6 * expected.losses[k]);
  }
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    expect_movement(i, expected.weights[i]);
  }
}

TEST_P(Reference, InfersTheOraclesLogits) {
  ASSERT_TRUE(runner_->ask("infer", {{"steps", 3}, {"drain", "ends"}, {"store", true}}).at("ok"));
  for (std::uint32_t k = 0; k < batches_.size(); ++k) {
    const oracle::Values expected =
        oracle::infer(GetParam().graph, weights_, batches_[k], oracle::Precision::fp64).logits;
    std::vector<float> actual(expected.size());
    std::memcpy(actual.data(), runner_->arena().slot(k).output.data(), actual.size() * sizeof(float));
    for (std::size_t j = 0; j < expected.size(); ++j) {
      EXPECT_NEAR(actual[j], expected[j], 5e-6 * largest(expected));
    }
  }
}

// Scheduling must not show in the bits: the gate repeats runs and compares them exactly.
TEST_P(Reference, RepeatsBitForBit) {
  std::vector<std::vector<float>> runs;
  for (int repeat = 0; repeat < 2; ++repeat) {
    ASSERT_TRUE(runner_->ask("put").at("ok"));
    ASSERT_TRUE(runner_->ask("train", {{"steps", 3}, {"drain", "ends"}}).at("ok"));
    ASSERT_TRUE(runner_->ask("get").at("ok"));
    runs.emplace_back();
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const std::vector<float> values = parameter(runner_->arena(), i);
      runs.back().insert(runs.back().end(), values.begin(), values.end());
    }
  }
  EXPECT_EQ(runs[0], runs[1]);
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const model::Graph& graph : graphs()) {
    all.push_back({graph, 5, 1, model::SgdForm::rate_outside});
    all.push_back({graph, 16, 2, model::SgdForm::rate_inside});
  }
  const auto outside = model::SgdForm::rate_outside;
  const auto inside = model::SgdForm::rate_inside;
  for (const char* optimizer : {"adadelta", "adagrad", "adam", "rmsprop"}) {
    all.push_back({fused(), 5, 1, outside, optimizer});
  }
  all.push_back({fused(), 5, 2, inside, "rmsprop", false, {model::ClipBy::global_norm, 0.05}});
  all.push_back({fused(), 5, 1, outside, "sgd", true});
  all.push_back({fused(), 5, 1, inside, "sgd", true});
  all.push_back({fused(), 5, 1, outside, "sgd", false, {model::ClipBy::element, 0.01}});
  all.push_back({fused(), 5, 2, inside, "sgd", false, {model::ClipBy::global_norm, 0.05}});
  return all;
}

std::string case_name(const testing::TestParamInfo<Case>& info) {
  const Case& entry = info.param;
  std::string name = entry.graph.name + "_" + std::to_string(entry.threads) + "t";
  if (entry.optimizer != "sgd" || entry.nesterov || entry.clip.by != model::ClipBy::none) {
    name += "_" + entry.optimizer + (entry.nesterov ? "_nesterov_" : "_") + model::name_of(entry.clip.by) +
            "_" + model::name_of(entry.form);
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Graphs, Reference, testing::ValuesIn(cases()), case_name);

}  // namespace
}  // namespace dlbench::runner_sdk_test
