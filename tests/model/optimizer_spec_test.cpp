#include "model/optimizer_spec.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "model/json.hpp"

namespace dlbench::model {
namespace {

using testing::ElementsAre;

TEST(Optimizers, DefaultsAreValidAndSurviveTheText) {
  for (const OptimizerSpec& spec : builtin_optimizers()) {
    Recipe recipe;
    recipe.optimizer = default_optimizer(spec.name);
    EXPECT_NO_THROW(validate(recipe)) << spec.name;
    const std::string text = to_json(recipe);
    EXPECT_EQ(to_json(recipe_from_json(text)), text);
    EXPECT_NE(text.find("\"name\":\"" + spec.name + "\""), std::string::npos);
    EXPECT_TRUE(has_setting(spec.settings, "weight_decay")) << spec.name;
    EXPECT_TRUE(has_setting(spec.settings, "decay_bias")) << spec.name;
    EXPECT_FALSE(spec.definition.empty());
  }
}

TEST(Optimizers, DefaultsAreTheDocumentedOnes) {
  EXPECT_EQ(default_optimizer("adam").beta1, 0.9);
  EXPECT_EQ(default_optimizer("adam").beta2, 0.999);
  EXPECT_EQ(default_optimizer("adam").epsilon, 1e-8);
  EXPECT_EQ(default_optimizer("adadelta").epsilon, 1e-6);
  EXPECT_EQ(default_optimizer("adagrad").epsilon, 1e-10);
  EXPECT_EQ(default_optimizer("rmsprop").epsilon_place, EpsilonPlace::outside);
  EXPECT_TRUE(default_optimizer("sgd").decay_bias);
}

TEST(Optimizers, UnknownNamesSuggestTheNearest) {
  try {
    (void)optimizer_spec("rms_prop");
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_NE(error.hint().find("'rmsprop'"), std::string::npos) << error.hint();
  }
}

TEST(Optimizers, ValuesWithoutMeaningAreRefused) {
  const auto refused = [](const char* name, auto spoil) {
    Recipe recipe;
    recipe.optimizer = default_optimizer(name);
    spoil(recipe);
    EXPECT_THROW(validate(recipe), base::UserError) << name;
  };
  refused("sgd", [](Recipe& r) { r.optimizer.nesterov = true; });
  refused("adam", [](Recipe& r) { r.optimizer.beta1 = 1.0; });
  refused("adam", [](Recipe& r) { r.optimizer.epsilon = 0.0; });
  refused("adadelta", [](Recipe& r) { r.optimizer.rho = -0.1; });
  refused("adagrad", [](Recipe& r) { r.optimizer.initial_accumulator = -1.0; });
  refused("rmsprop", [](Recipe& r) { r.optimizer.weight_decay = -1.0; });
  refused("sgd", [](Recipe& r) { r.clip = {ClipBy::element, 0.0}; });
  refused("sgd", [](Recipe& r) { r.clip = {ClipBy::none, 1.0}; });
  refused("sgd", [](Recipe& r) { r.weight_ema.decay = 1.0; });
  refused("sgd", [](Recipe& r) { r.weight_ema.decay = -0.5; });
  refused("sgd", [](Recipe& r) { r.weight_ema.ramp = true; });
}

TEST(Optimizers, ARunnerMustNameWhatTheRecipeNeeds) {
  Recipe recipe;
  EXPECT_THAT(required_optimizers(recipe), ElementsAre("sgd"));
  recipe.optimizer.nesterov = true;
  recipe.clip = {ClipBy::element, 1.0};
  EXPECT_THAT(required_optimizers(recipe), ElementsAre("sgd", "nesterov", "clip=element"));
  recipe.optimizer = default_optimizer("adam");
  recipe.clip.by = ClipBy::global_norm;
  EXPECT_THAT(required_optimizers(recipe), ElementsAre("adam", "clip=global_norm"));
  recipe.weight_ema.decay = 0.99;
  EXPECT_THAT(required_optimizers(recipe), ElementsAre("adam", "clip=global_norm", "weight_ema"));
}

// (1 + t) / (10 + t) is 2/11 in the first step and reaches 1/2 in the eighth.
TEST(Optimizers, AveragesRampUpToTheirDecay) {
  EXPECT_EQ(ema_decay({.decay = 0.5, .ramp = false}, 1), 0.5);
  EXPECT_EQ(ema_decay({.decay = 0.5, .ramp = true}, 1), 2.0 / 11.0);
  EXPECT_EQ(ema_decay({.decay = 0.5, .ramp = true}, 7), 8.0 / 17.0);
  EXPECT_EQ(ema_decay({.decay = 0.5, .ramp = true}, 9), 0.5);
}

TEST(Optimizers, TextNamesEverySetting) {
  Recipe recipe;
  recipe.optimizer = default_optimizer("adagrad");
  recipe.clip = {ClipBy::element, 0.5};
  recipe.weight_ema = {.decay = 0.75, .ramp = true};
  EXPECT_EQ(
      to_text(recipe),
      "adagrad (initial_accumulator 0, epsilon 1e-10, weight_decay 0, decay_bias true, decay_norm true), "
      "gradients clipped by element at 0.5, rate fixed (base 0.01), "
      "evaluated with averaged weights (decay 0.75, ramp true)");
}

}  // namespace
}  // namespace dlbench::model
