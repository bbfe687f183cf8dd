#include "model/recipe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/philox.hpp"
#include "model/builder.hpp"

namespace dlbench::model {
namespace {

TEST(Recipe, DefaultsAreValid) {
  EXPECT_NO_THROW(validate(Recipe{}));
}

TEST(Recipe, RefusesValuesWithoutMeaning) {
  const auto refused = [](auto spoil) {
    Recipe recipe;
    recipe.rate = {.policy = "step", .base = 0.1, .gamma = 0.5, .every_steps = 10};
    spoil(recipe);
    EXPECT_THROW(validate(recipe), base::UserError);
  };
  refused([](Recipe& r) { r.optimizer.name = "adam9"; });
  refused([](Recipe& r) { r.optimizer.momentum = 1.0; });
  refused([](Recipe& r) { r.optimizer.momentum = -0.1; });
  refused([](Recipe& r) { r.optimizer.momentum = NAN; });
  refused([](Recipe& r) { r.optimizer.weight_decay = -1e-9; });
  refused([](Recipe& r) { r.optimizer.weight_decay = INFINITY; });
  refused([](Recipe& r) { r.rate.policy = "warm"; });
  refused([](Recipe& r) { r.rate.base = -1.0; });
  refused([](Recipe& r) { r.rate.base = NAN; });
  refused([](Recipe& r) { r.rate.gamma = 0.0; });
  refused([](Recipe& r) { r.rate.every_steps = 0; });
  refused([](Recipe& r) { r.initialiser.name = "ones"; });
  refused([](Recipe& r) { r.batch = 0; });
}

Graph two_layers() {
  return Builder("two", {1, 12, 12})
      .add("conv", "conv2d", {{"out_channels", count(8)}, {"kernel", extents({5, 5})}})
      .add("flat", "flatten")
      .add("score", "dense", {{"out_features", count(10)}})
      .finish();
}

TEST(InitialWeights, AreXavierUniformByFanIn) {
  const Graph graph = two_layers();
  const Weights weights = initial_weights(graph, {.seed = 4});
  ASSERT_EQ(weights.size(), 4U);
  // conv: fan in 25, bound sqrt(3/25) = 0.34641; dense: fan in 8·8·8 = 512, bound 0.076547.
  const double bounds[] = {0.346410162, 0.0, 0.0765465545, 0.0};
  for (std::size_t p = 0; p < 4; ++p) {
    const auto [low, high] = std::minmax_element(weights[p].values.begin(), weights[p].values.end());
    EXPECT_LE(static_cast<double>(*high), bounds[p] * (1 + 1e-7));
    EXPECT_GE(static_cast<double>(*low), -bounds[p] * (1 + 1e-7));
    EXPECT_GE(static_cast<double>(*high), bounds[p] * 0.95);
    EXPECT_LE(static_cast<double>(*low), -bounds[p] * 0.95);
  }
}

// The contract that makes weights reproducible: stream initial_weights, sub-stream = parameter index, index =
// element.
TEST(InitialWeights, ComeFromTheDocumentedStream) {
  const Weights weights = initial_weights(two_layers(), {.seed = 77});
  const base::Random random(77, base::Stream::initial_weights, 2);
  for (const std::uint64_t i : {0ULL, 1ULL, 5119ULL}) {
    const double u = static_cast<double>(random.uniform(i));
    EXPECT_EQ(weights[2].values[i], static_cast<float>((2.0 * u - 1.0) * std::sqrt(3.0 / 512.0)));
  }
}

TEST(InitialWeights, DependOnTheSeedOnly) {
  const Graph graph = two_layers();
  EXPECT_EQ(initial_weights(graph, {.seed = 1})[0].values, initial_weights(graph, {.seed = 1})[0].values);
  EXPECT_NE(initial_weights(graph, {.seed = 1})[0].values, initial_weights(graph, {.seed = 2})[0].values);
}

}  // namespace
}  // namespace dlbench::model
