// Where declared formulas lead a training run elsewhere, and that its batches are chosen for that run too.
#include "gate/deviations.hpp"

#include <gtest/gtest.h>

#include <array>

#include "gate/sample_work.hpp"
#include "gate/verification_batch.hpp"
#include "model/builder.hpp"
#include "record/deviation.hpp"

namespace dlbench::gate {
namespace {

Experiment trained(const model::Graph& graph, std::vector<double> rates) {
  Experiment experiment;
  experiment.id = "steps.changing";
  experiment.quantity = Quantity::delta;
  experiment.graph = graph;
  experiment.recipe.optimizer.momentum = 0.5;
  experiment.weights = model::initial_weights(graph, {});
  experiment.rates = std::move(rates);
  return experiment;
}

// One unit, relu(w x + b), and two classes.
model::Graph one_unit() {
  return model::Builder("u", {1})
      .add("hidden", "dense", {{"out_features", model::count(1)}})
      .add("active", "relu")
      .add("score", "dense", {{"out_features", model::count(2)}})
      .finish();
}

// What a study ranks is decided by the names in certificates; the formulas are known here.
TEST(Deviations, ANameSaysWhetherItHasAFormulaOfItsOwn) {
  for (const record::DeviationName& known : record::deviation_names) {
    const Deviation* deviation = find_deviation(known.name);
    ASSERT_NE(deviation, nullptr) << known.name;
    EXPECT_EQ(deviation->apply != nullptr, known.is_other_formula) << known.name;
  }
}

TEST(Deviations, MomentumFormsPartWhereTheRateChanges) {
  EXPECT_TRUE(parting_arithmetics(trained(one_unit(), {0.5, 0.5, 0.5})).empty());
  const std::vector<oracle::Arithmetic> changing = parting_arithmetics(trained(one_unit(), {0.5, 0.5, 0.25}));
  ASSERT_EQ(changing.size(), 1U);
  EXPECT_TRUE(changing[0].rate_inside);
  Experiment still = trained(one_unit(), {0.5, 0.25});
  still.recipe.optimizer.momentum = 0.0;
  EXPECT_TRUE(parting_arithmetics(still).empty());
  Experiment inside = trained(one_unit(), {0.5, 0.25});
  inside.recipe.optimizer.form = model::SgdForm::rate_inside;
  EXPECT_TRUE(parting_arithmetics(inside).empty());
}

TEST(Deviations, TwoBiasesPartFromOne) {
  const model::Graph graph = *fault_graph("recurrent");
  const std::vector<oracle::Arithmetic> parting = parting_arithmetics(trained(graph, {0.5, 0.5}));
  ASSERT_EQ(parting.size(), 1U);
  EXPECT_TRUE(parting[0].double_bias);
}

// Two rows. In the third step, after the rate has changed, the first row's only candidate puts the unit at
// zero at the weights of the other momentum form: x + noise = -b / w there. At the recipe's own weights it is
// far from zero, so only a search that follows both sees the near tie.
TEST(Deviations, BatchesAreChosenAlongEachOfThem) {
  constexpr Candidates one = {.seed = 1, .first = 0, .count = 1};
  Experiment experiment = trained(one_unit(), {0.5, 0.25, 0.25});
  const model::Batch real = {{{2, 1}, {1.0F, 2.0F}}, {0, 1}};
  experiment.batches = {real, real};
  experiment.weights[0].values = {1.0F};
  experiment.weights[2].values = {1.0F, -1.0F};
  const std::array noisy = {with_noise(real, 1, 0), with_noise(real, 1, 1)};
  oracle::Arithmetic inside;
  inside.rate_inside = true;
  const auto after_two = [&](const oracle::Arithmetic& arithmetic) {
    return oracle::train(experiment.graph, experiment.recipe, experiment.weights, noisy,
                         std::array{0.5, 0.25}, oracle::Precision::fp64, arithmetic)
        .weights;
  };
  const std::vector<oracle::Values> other = after_two(inside);
  const std::vector<oracle::Values> own = after_two({});
  const auto zero_of = [](const std::vector<oracle::Values>& weights) {
    return static_cast<float>(-weights[1][0] / weights[0][0]);
  };
  ASSERT_GT(std::abs(zero_of(other) - zero_of(own)), 1e-3F);

  const auto third = [&](float wanted) {
    Experiment three = experiment;
    three.batches.push_back(real);
    float& x = three.batches.back().input.values[0];
    x = wanted;
    x -= with_noise(three.batches.back(), 1, 2).input.values[0] - wanted;
    choose_batches(three, one);
    return three.norm;
  };
  EXPECT_EQ(third(zero_of(other)), Norm::euclidean);
  EXPECT_EQ(third(zero_of(own)), Norm::euclidean);
  EXPECT_EQ(third(0.5F * (zero_of(own) + zero_of(other))), Norm::largest);
}

TEST(Deviations, UnknownNamesChangeNothing) {
  EXPECT_EQ(find_deviation("nonsense"), nullptr);
  EXPECT_EQ(arithmetic_of({"nonsense", "assisted"}), oracle::Arithmetic{});
  EXPECT_TRUE(arithmetic_of({"ties_all", "double_bias"}).ties_all);
}

}  // namespace
}  // namespace dlbench::gate
