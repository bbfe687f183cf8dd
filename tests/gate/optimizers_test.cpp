// Recipes with every optimizer through the whole gate: what is asked of a runner, and that correct single
// precision passes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "gate/compare.hpp"
#include "gate/experiments.hpp"
#include "gate/runs.hpp"
#include "gate/sample_work.hpp"
#include "gate/stress.hpp"
#include "model/builder.hpp"
#include "model/optimizer_spec.hpp"

namespace dlbench::gate {
namespace {

Work work_with(const std::string& optimizer, double rate) {
  Work work = sample_work(testing::small_net(), 12, 4);
  work.recipe.optimizer = model::default_optimizer(optimizer);
  work.recipe.optimizer.weight_decay = 5e-4;
  work.recipe.rate.base = rate;
  return work;
}

void expect_passes(const Work& work) {
  const Plan plan = make_plan(work);
  EXPECT_EQ(plan.unverified_reason, "") << work.recipe.optimizer.name;
  std::size_t undetermined = 0;
  for (const Expectation& expectation : plan.expectations) {
    for (const std::vector<std::uint32_t>& elements : expectation.experiment.undetermined) {
      undetermined += elements.size();
    }
  }
  for (const std::uint64_t variation : {0U, 77U, 78U, 79U}) {
    const testing::Results results = testing::run(plan, testing::rounding(variation));
    const record::Certificate certificate = judge(plan, results, {});
    EXPECT_EQ(certificate.verdict, record::Verdict::pass)
        << work.recipe.optimizer.name << ": " << certificate.reason;
    std::printf("%s: k = %lld, %zu undetermined elements, worst correct error %.2g limits\n",
                work.recipe.optimizer.name.c_str(), static_cast<long long>(plan.certified_steps),
                undetermined, testing::worst_error_over_limit(plan, results));
  }
}

TEST(Optimizers, CorrectSinglePrecisionPasses) {
  expect_passes(work_with("adam", 1e-3));
  expect_passes(work_with("adagrad", 1e-2));
  expect_passes(work_with("adadelta", 1.0));
  Work rmsprop = work_with("rmsprop", 1e-3);
  rmsprop.recipe.optimizer.centered = true;
  rmsprop.recipe.optimizer.momentum = 0.9;
  expect_passes(rmsprop);
}

TEST(Optimizers, CorrectSinglePrecisionPassesWithClipping) {
  Work work = sample_work(testing::small_net(), 12, 4);
  work.recipe.clip = {model::ClipBy::global_norm, 0.1};
  expect_passes(work);
  work.recipe.clip = {model::ClipBy::element, 0.01};
  work.recipe.optimizer.nesterov = true;
  expect_passes(work);
}

// The step of no other optimizer is the gradient: it is read through plain sgd, which the runner is loaded
// for anew because the recipe is another one.
TEST(Optimizers, GradientsAreReadThroughPlainSgd) {
  Work work = work_with("adam", 1e-3);
  work.recipe.clip = {model::ClipBy::global_norm, 1.0};
  const Material material = gather_material(work, 8);
  for (const GradientExperiment& one : gradient_experiments("g", work, material, material.batch)) {
    EXPECT_EQ(one.experiment.recipe.optimizer.name, "sgd");
    EXPECT_EQ(one.experiment.recipe.optimizer.momentum, 0.0);
    EXPECT_EQ(one.experiment.recipe.optimizer.weight_decay, 0.0);
    EXPECT_EQ(one.experiment.recipe.clip.by, model::ClipBy::none);
  }
  EXPECT_EQ(constant_steps(work, material, 3).recipe.optimizer.epsilon, 1e-8);
  const Experiment stress = stress_steps(work, material, 3);
  EXPECT_EQ(stress.recipe.optimizer.name, "adam");
  EXPECT_EQ(stress.recipe.optimizer.epsilon, 1e-2);
  EXPECT_EQ(stress.recipe.optimizer.weight_decay, 0.1);
  EXPECT_LT(stress.recipe.clip.limit, 1.0);
}

// Half the norm 3; half of 0.5, the smaller of the two largest elements that are not zero by construction.
TEST(Stress, LimitsBind) {
  const GradientSize size{{2.0, 0.0, 0.5}, 3.0};
  model::Recipe recipe;
  EXPECT_EQ(stressed(recipe, size).clip.limit, 0.0);
  EXPECT_EQ(stressed(recipe, size).optimizer.epsilon, 0.0) << "sgd has none";
  recipe.clip = {model::ClipBy::global_norm, 100.0};
  EXPECT_EQ(stressed(recipe, size).clip.limit, 1.5);
  recipe.clip.by = model::ClipBy::element;
  EXPECT_EQ(stressed(recipe, size).clip.limit, 0.25);
}

// Without decay Adam's first step is eta g / (|g| + epsilon): where g is rounding alone it is anything
// between -eta and eta. Such elements are not judged, others are, and what is no number is judged everywhere.
TEST(Undetermined, ElementsThatRoundingDecidesAreNotJudged) {
  Experiment experiment;
  experiment.quantity = Quantity::delta;
  experiment.graph =
      model::Builder("one", {2}).add("d", "dense", {{"out_features", model::count(2)}}).finish();
  experiment.weights = {{{2, 2}, {0, 0, 0, 0}}, {{2}, {0, 0}}};
  experiment.undetermined = {{1}, {}};
  const Result truth{{}, {}, {{1, 0.5, 0, 0}, {1, 0}}};
  const std::vector<double> scales = {0.0, 0.0};
  const auto error = [&](double undetermined, double other) {
    const Result seen{{}, {}, {{other, undetermined, 0, 0}, {1, 0}}};
    return measure_distance(experiment, truth, scales, seen).tensors[0].error;
  };
  EXPECT_EQ(error(-0.5, 1.0), 0.0);
  EXPECT_EQ(error(0.5, 0.75), 0.25);
  EXPECT_TRUE(std::isinf(error(std::nan(""), 1.0)));
}

}  // namespace
}  // namespace dlbench::gate
