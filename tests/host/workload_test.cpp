#include "host/workload.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "host/converge_run.hpp"
#include "model/builder.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::host {
namespace {

using testing::ElementsAre;

// `count` grey 28×28 images; image i is filled with i mod 256 and has label i mod 10.
std::shared_ptr<const data::Dataset> dataset(std::int64_t count) {
  auto set = std::make_shared<data::Dataset>();
  set->name = "made";
  set->digest = "made";
  set->class_count = 10;
  for (data::SampleSet* split : {&set->train, &set->test}) {
    split->count = count;
    split->shape = {1, 28, 28};
    for (std::int64_t i = 0; i < count; ++i) {
      split->pixels.insert(split->pixels.end(), 28 * 28, static_cast<std::uint8_t>(i % 256));
      split->labels.push_back(static_cast<std::int32_t>(i % 10));
    }
  }
  return set;
}

Workload workload(std::int64_t count, std::int64_t batch) {
  model::Recipe recipe;
  recipe.batch = batch;
  return make_workload("lenet", dataset(count), recipe, 3);
}

TEST(Workload, KnowsTheLastPartialBatch) {
  const Workload work = workload(1000, 64);  // 15 × 64 + 40
  EXPECT_EQ(work.full_batches(), 15);
  EXPECT_EQ(work.partial_rows(), 40);
  const gate::Work gate = gate_work(work);
  ASSERT_TRUE(gate.partial);
  EXPECT_EQ(gate.partial->target.size(), 40U);
  EXPECT_EQ(gate_work(workload(960, 64)).partial, std::nullopt);
}

// 5000 samples are 78 full batches: sample 2000 lies in batch 31, so 32 is beyond it; 77 is the last.
TEST(Workload, TheGateGetsBatchesFarIntoTheEpoch) {
  const gate::Work gate = gate_work(workload(5000, 64));
  ASSERT_EQ(gate.distant.size(), 2U);
  EXPECT_EQ(gate.distant[0].position, 32);
  EXPECT_EQ(gate.distant[1].position, 77);
  EXPECT_EQ(gate.distant[1].batch.target, training_batch(workload(5000, 64), 0, 77).target);
}

// 256 samples are 16 batches of 16; where the data have fewer, all that there are.
TEST(Workload, InferenceGivesTheGateMoreSamples) {
  Workload work = workload(1000, 16);
  EXPECT_EQ(gate_work(work).batches.size(), 12U);
  EXPECT_EQ(load_request(work, 2).mode, "train");
  work.task = record::Task::inference;
  EXPECT_EQ(gate_work(work).batches.size(), 16U);
  EXPECT_EQ(gate_work(work).task, record::Task::inference);
  EXPECT_EQ(load_request(work, 2).mode, "infer");
  Workload few = workload(224, 16);
  few.task = record::Task::inference;
  EXPECT_EQ(gate_work(few).batches.size(), 14U);
}

TEST(Workload, BatchesFollowTheShuffledOrder) {
  const Workload work = workload(1000, 64);
  const auto order = data::epoch_order(3, 0, 1000);
  const model::Batch second = training_batch(work, 0, 1);
  ASSERT_EQ(second.target.size(), 64U);
  for (std::size_t row = 0; row < 64; ++row) {
    EXPECT_EQ(second.target[row], order[64 + row] % 10);
    EXPECT_EQ(second.input.values[row * 784], static_cast<float>(order[64 + row] % 256) / 255.0F);
  }
  EXPECT_NE(training_batch(work, 1, 1).target, second.target) << "each epoch has an order of its own";
}

TEST(Workload, RefusesDataThatDoesNotFit) {
  auto wide = std::make_shared<data::Dataset>(*dataset(1000));
  wide->train.shape[0] = 3;
  EXPECT_THROW(static_cast<void>(make_workload("lenet", wide, {}, 1)), base::UserError);
  auto classes = std::make_shared<data::Dataset>(*dataset(1000));
  classes->class_count = 12;
  EXPECT_THROW(static_cast<void>(make_workload("lenet", classes, {}, 1)), base::UserError);
  EXPECT_THROW(static_cast<void>(workload(700, 64)), base::UserError) << "10 full batches are too few";
  EXPECT_THROW(static_cast<void>(read_model("lenett")), base::UserError);
}

// A batch of 64 is 64·784·4 = 200,704 bytes.
TEST(LoadData, SyntheticPicturesFitTheNetwork) {
  model::Recipe recipe;
  recipe.batch = 64;
  const Workload work =
      make_workload("cifar10_tensorflow", load_data("synthetic", {}, zoo::cifar10_tensorflow()), recipe, 1);
  EXPECT_EQ(work.dataset->train.shape, (std::vector<std::int64_t>{3, 24, 24}));
  EXPECT_GT(work.partial_rows(), 0);
  EXPECT_EQ(gate_work(work).distant.size(), 2U);
}

// 30 tokens below 10,000, each of whose labels is the token after it.
TEST(LoadData, SyntheticSequencesFitTheNetwork) {
  const model::Graph graph = zoo::find("lstm_ptb")->build();
  model::Recipe recipe;
  recipe.batch = 20;
  const Workload work = make_workload("lstm_ptb", load_data("synthetic", {}, graph), recipe, 1);
  const model::Batch batch = training_batch(work, 0, 1);
  EXPECT_EQ(batch.input.shape, (model::Shape{20, 30}));
  ASSERT_EQ(batch.target.size(), 600U);
  for (std::size_t i = 0; i + 1 < 30; ++i) {
    EXPECT_EQ(static_cast<float>(batch.target[i]), batch.input.values[i + 1]);
  }
  EXPECT_EQ(work.batch_input_bytes(), 20 * 30 * 8);
  const protocol::ArenaPlan plan = arena_plan(work.graph, 20, 8, 8);
  EXPECT_EQ(plan.input_bytes, 4800U);
  EXPECT_EQ(plan.target_bytes, 4800U);
  EXPECT_EQ(plan.output_bytes, 20U * 30 * 10'000 * 4);
}

// Tokens reach the arena as integers, straight from the data set and through a batch alike.
TEST(LoadData, TokensReachTheArenaAsIntegers) {
  const model::Graph graph = zoo::find("lstm_imdb")->build();
  model::Recipe recipe;
  recipe.batch = 2;
  const Workload work = make_workload("lstm_imdb", load_data("synthetic", {}, graph), recipe, 1);
  protocol::Arena arena(arena_plan(work.graph, 2, 2, 1));
  const std::vector<std::uint32_t> order = data::epoch_order(work.seed, 0, 4128);
  put_samples(arena, 0, work.dataset->train, order.data() + 2, 2);
  put_batch(arena, 1, training_batch(work, 0, 1), model::InputKind::tokens);
  const auto* straight = reinterpret_cast<const std::int64_t*>(arena.slot(0).input.data());
  const auto* copied = reinterpret_cast<const std::int64_t*>(arena.slot(1).input.data());
  for (std::size_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(straight[i], work.dataset->train.tokens[order[2 + i / 500] * 500 + i % 500]);
    EXPECT_EQ(copied[i], straight[i]);
  }
}

TEST(LoadData, SyntheticPicturesAreNoFeatures) {
  const model::Graph graph =
      model::Builder("flat", {4}).add("score", "dense", {{"out_features", model::count(3)}}).finish();
  EXPECT_THROW((void)load_data("synthetic", {}, graph), base::UserError);
}

TEST(RingSlots, AreMoreThanTwiceTheCacheWithinTheirBounds) {
  const Workload work = workload(60'000, 64);
  EXPECT_EQ(ring_slots(work, 0), 64U);
  EXPECT_EQ(ring_slots(work, 32U << 20U), 335U);   // 67,108,864 / 200,704 = 334.4
  EXPECT_EQ(ring_slots(work, 1ULL << 30U), 937U);  // 256 MiB would be 1337: one epoch is less
  EXPECT_EQ(ring_slots(workload(1000, 64), 32U << 20U), 15U);
}

TEST(CorrectCount, TheFirstMaximumIsTheAnswer) {
  const std::vector<float> logits = {0.1F, 0.9F, 0.0F, 0.5F, 0.5F, 0.2F, -3.0F, -2.0F, -1.0F};
  const std::vector<std::int32_t> labels = {1, 0, 1};
  EXPECT_EQ(correct_count(logits.data(), labels.data(), 3, 3), 2);
  EXPECT_EQ(correct_count(logits.data(), labels.data(), 0, 3), 0);
  // One logit says which of two classes: above zero the second.
  EXPECT_EQ(correct_count(std::vector<float>{0.5F, -0.5F, 0.0F}.data(),
                          std::vector<std::int32_t>{1, 1, 0}.data(), 3, 1),
            2);
}

}  // namespace
}  // namespace dlbench::host
