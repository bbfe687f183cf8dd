#include "runner_sdk/cpp/collected_weights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "model/builder.hpp"

namespace dlbench::sdk {
namespace {

using testing::Each;
using testing::ElementsAre;

class CollectedWeightsTest : public ::testing::Test {
 protected:
  bool put(const std::string& name, const std::vector<float>& values) {
    for (const Parameter& parameter : model::parameters(graph_)) {
      if (parameter.name == name) {
        return weights_.put(parameter, {values, parameter.shape});
      }
    }
    Parameter unknown;
    unknown.name = name;
    return weights_.put(unknown, {values, {}});
  }

  const model::Graph graph_ =
      model::Builder("g", {1}).add("score", "dense", {{"out_features", model::count(2)}}).finish();
  CollectedWeights weights_{graph_};
};

TEST_F(CollectedWeightsTest, AreZerosAtFirst) {
  ASSERT_EQ(weights_.weights().size(), 2U);
  EXPECT_EQ(weights_.weights()[0].shape, (model::Shape{2, 1}));
  EXPECT_THAT(weights_.weights()[0].values, Each(0.0F));
}

TEST_F(CollectedWeightsTest, AreCompleteWithTheLastOfEachRound) {
  EXPECT_FALSE(put("score.weight", {1, 2}));
  EXPECT_TRUE(put("score.bias", {3, 4}));
  EXPECT_THAT(weights_.weights()[1].values, ElementsAre(3, 4));
  EXPECT_FALSE(put("score.weight", {5, 6})) << "the next round";
  EXPECT_TRUE(put("score.bias", {7, 8}));
  EXPECT_THAT(weights_.weights()[0].values, ElementsAre(5, 6));
}

TEST_F(CollectedWeightsTest, AreNotCompleteWithOneThatIsPutTwice) {
  EXPECT_FALSE(put("score.weight", {1, 2}));
  EXPECT_FALSE(put("score.weight", {5, 6}));
  EXPECT_TRUE(put("score.bias", {3, 4}));
  EXPECT_THAT(weights_.weights()[0].values, ElementsAre(5, 6));
}

TEST_F(CollectedWeightsTest, RefuseWhatTheGraphHasNot) {
  EXPECT_THROW(put("other.weight", {1, 2}), base::Bug);
  EXPECT_THROW(put("score.weight", {1}), base::Bug);
}

}  // namespace
}  // namespace dlbench::sdk
