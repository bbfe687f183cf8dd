// What the gate asks of dropout's masks, on masks that are made up.
#include "gate/masks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "base/philox.hpp"

namespace dlbench::gate {
namespace {

using ::testing::HasSubstr;

constexpr double mask_rate = 0.25;
constexpr double mask_scale = 4.0 / 3.0;
constexpr std::size_t mask_elements = 128;  // 8 planes of 4x4

// Whether an element is kept.
using Draw = std::function<bool(std::size_t step, std::size_t layer, std::size_t row, std::size_t element)>;

bool independent(std::size_t step, std::size_t layer, std::size_t row, std::size_t element) {
  const base::Random random(7, base::Stream::dropout, step * 4 + layer * 2 + row);
  return static_cast<double>(random.uniform(element)) >= mask_rate;
}

// Weights after one step at rate 1 from zero: minus the gradients (-3a + b) / 8 and (a - 3b) / 8.
std::vector<Result> results_of(const Experiment& experiment, const Draw& draw, double kept = mask_scale) {
  std::vector<Result> results;
  for (std::size_t step = 0; step < static_cast<std::size_t>(experiment.repeats); ++step) {
    Result& result = results.emplace_back();
    for (std::size_t layer = 0; layer < 2; ++layer) {
      oracle::Values weights(experiment.weights[layer].values.size());
      for (std::size_t i = 0; i < mask_elements; ++i) {
        const double a = draw(step, layer, 0, i) ? kept : 0.0;
        const double b = draw(step, layer, 1, i) ? kept : 0.0;
        weights[i] = (3.0 * a - b) / 8.0;
        weights[mask_elements + i] = (3.0 * b - a) / 8.0;
      }
      result.weights.push_back(std::move(weights));
    }
  }
  return results;
}

class MasksTest : public ::testing::Test {
 protected:
  // The names of what is beyond its limit.
  std::vector<std::string> wrong(const std::vector<Result>& results) const {
    std::vector<std::string> names;
    for (const MaskStatistic& statistic : mask_statistics(experiment_, results)) {
      if (!(statistic.error() <= statistic.limit)) {
        names.push_back(statistic.name);
      }
    }
    return names;
  }
  using Names = std::vector<std::string>;

  Experiment experiment_ = masks_experiment(mask_rate, {});
};

TEST_F(MasksTest, IndependentOnesAreRight) {
  const std::vector<Result> results = results_of(experiment_, independent);
  EXPECT_EQ(wrong(results), Names{});
  EXPECT_LE(error_over_limit(mask_statistics(experiment_, results)), 1.0);
  EXPECT_EQ(first_difference(experiment_, mask_statistics(experiment_, results)), "");
}

TEST_F(MasksTest, ValuesMustBeScaled) {
  const std::vector<Result> results = results_of(experiment_, independent, 1.0);
  EXPECT_EQ(wrong(results), Names{"values"});
  EXPECT_THAT(first_difference(experiment_, mask_statistics(experiment_, results)),
              HasSubstr("dropout.masks 0.25: values of the masks"));
}

// What is drawn together spreads further, so that other properties may leave their limits beside it.
TEST_F(MasksTest, EachDependenceIsToldByItsName) {
  const std::vector<std::pair<std::string, Draw>> cases = {
      {"correlation of neighbours",  // a whole plane at once
       [](auto step, auto layer, auto row, auto i) { return independent(step, layer, row, i / 16); }},
      {"correlation of samples",
       [](auto step, auto layer, auto /*row*/, auto i) { return independent(step, layer, 0, i); }},
      {"correlation of steps",
       [](auto /*step*/, auto layer, auto row, auto i) { return independent(3, layer, row, i); }},
      {"correlation of layers",
       [](auto step, auto /*layer*/, auto row, auto i) { return independent(step, 0, row, i); }}};
  for (const auto& [name, draw] : cases) {
    const Names names = wrong(results_of(experiment_, draw));
    EXPECT_THAT(names, ::testing::Contains(name));
    EXPECT_LT(names.size(), 4U) << name;
  }
}

// Every element kept: there is nothing that could be correlated.
TEST_F(MasksTest, TheShareIsAMatterOfItsOwn) {
  EXPECT_EQ(wrong(results_of(experiment_, [](auto...) { return true; })), Names{"share"});
}

TEST_F(MasksTest, WhatIsMissingOrNoNumberIsWrong) {
  std::vector<Result> results = results_of(experiment_, independent);
  results[5].weights[1][3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(wrong(results), ::testing::Contains("values"));
  results[5].weights.pop_back();
  EXPECT_EQ(wrong(results), Names{"values"});
}

TEST_F(MasksTest, AlikeIsWhatErrsInTheSameWay) {
  const auto statistics = [this](const Draw& draw) {
    return mask_statistics(experiment_, results_of(experiment_, draw));
  };
  const auto all = [](auto...) { return true; };
  const auto none = [](auto...) { return false; };
  EXPECT_TRUE(is_alike(statistics(independent), statistics(independent)));
  EXPECT_TRUE(is_alike(statistics(all), statistics(all)));
  EXPECT_FALSE(is_alike(statistics(all), statistics(none)));  // both shares are wrong, not by as much
  EXPECT_FALSE(is_alike(statistics(all), statistics(independent)));
}

// A replay's right result follows the mask: a wrong gradient below the dropout is seen beside any of them.
TEST(Replay, FollowsTheMaskThatWasDrawn) {
  const Work work = replay_work(0.5, {});
  Experiment experiment;
  experiment.graph = work.graph;
  experiment.recipe = work.recipe;
  experiment.weights = model::initial_weights(work.graph, work.recipe.initialiser);
  experiment.batches = work.batches;
  experiment.rates = {1.0};
  experiment.quantity = Quantity::replay;
  for (const std::uint64_t run : {0U, 1U}) {
    oracle::Arithmetic arithmetic;
    arithmetic.dropping.run = run;
    const Result seen = perform(experiment, oracle::Precision::fp64, arithmetic);
    const Result right = replayed(experiment, seen);
    EXPECT_EQ(right.losses, seen.losses);
    EXPECT_EQ(right.weights, seen.weights);
  }
}

TEST(DropoutRates, AreThoseAboveZeroEachOnce) {
  const model::Graph graph = without_dropout(replay_work(0.5, {}).graph);
  EXPECT_EQ(dropout_rates(graph), std::vector<double>{});
  EXPECT_EQ(dropout_rates(masks_experiment(0.3, {}).graph), std::vector<double>{0.3});
}

}  // namespace
}  // namespace dlbench::gate
