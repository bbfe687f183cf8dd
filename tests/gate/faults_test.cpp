// Every known fault against the original, on the graph that shows it or on a small stand-in for LeNet.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "gate/fault.hpp"
#include "gate/runs.hpp"
#include "gate/sample_recipes.hpp"
#include "gate/sample_work.hpp"
#include "model/builder.hpp"

namespace dlbench::gate {
namespace {

using testing::effect;
using ::testing::StartsWith;

model::Graph graph_for(const Fault& fault) {
  return fault.graph == "lenet" ? testing::small_net() : *fault_graph(fault.graph);
}

const Plan& plan_for(const Fault& fault) {
  static std::map<std::string, Plan> plans;
  const std::string name = fault.graph + " " + fault.recipe;
  const auto found = plans.find(name);
  if (found != plans.end()) {
    return found->second;
  }
  Work work = sample_work(graph_for(fault), 12);
  work.recipe = *sample_recipe(fault.recipe, work.recipe);
  return plans.emplace(name, make_plan(work)).first->second;
}

TEST(Faults, EachIsSeenAndNamedOnItsGraph) {
  double smallest = 1e300;
  for (const Fault& fault : builtin_faults()) {
    const Plan& plan = plan_for(fault);
    const record::FaultEffect& simulated = effect(plan.faults, fault.id);
    EXPECT_TRUE(simulated.provable) << fault.id << " " << simulated.effect_over_limit;
    smallest = std::min(smallest, simulated.effect_over_limit);
    const record::Certificate certificate = judge(plan, testing::run_with(plan, fault, 41), {});
    EXPECT_EQ(certificate.verdict, record::Verdict::mismatch) << fault.id;
    EXPECT_THAT(certificate.diagnosis, StartsWith(fault.id + ": ")) << certificate.reason;
  }
  std::printf("smallest fault effect: %.3g limits\n", smallest);
}

// A runner that admits a fault's deviation and computes by it passes; so the two have the same numbers.
TEST(Faults, TheirDeviationsHaveTheirNumbers) {
  int admitted = 0;
  for (const Fault& fault : builtin_faults()) {
    if (fault.deviation.empty()) {
      continue;
    }
    const Plan& plan = plan_for(fault);
    const record::Certificate certificate =
        judge(plan, testing::run_with(plan, fault, 41), {fault.deviation});
    EXPECT_EQ(certificate.verdict, record::Verdict::pass_with_deviations)
        << fault.id << " " << certificate.reason;
    EXPECT_THAT(certificate.deviations, ::testing::ElementsAre(fault.deviation)) << fault.id;
    ++admitted;
  }
  EXPECT_EQ(admitted, 3);
}

TEST(Faults, HaveUniqueIdsAndSentencesAndKnownGraphs) {
  std::set<std::string> ids;
  for (const Fault& fault : builtin_faults()) {
    EXPECT_TRUE(ids.insert(fault.id).second) << fault.id;
    EXPECT_FALSE(fault.sentence.empty()) << fault.id;
    EXPECT_TRUE(fault.graph == "lenet" || fault_graph(fault.graph).has_value()) << fault.id;
    EXPECT_TRUE(sample_recipe(fault.recipe, {}).has_value()) << fault.id;
  }
  EXPECT_FALSE(fault_graph("no_such_graph").has_value());
  EXPECT_FALSE(sample_recipe("no_such_recipe", {}).has_value());
}

TEST(Faults, DoNotApplyWhereTheWorkCannotHaveThem) {
  Experiment experiment;
  experiment.graph = *fault_graph("two_hidden");
  experiment.weights = model::initial_weights(experiment.graph, {});
  experiment.batches = {sample_batch(experiment.graph, 4, 0)};
  for (const char* id : {"rate_times_ten",      "rate_ignored",     "rate_silently_decayed",
                         "sum_for_mean",        "decay_missing",    "decay_doubled",
                         "decay_as_rate_decay", "dampening",        "other_momentum_form",
                         "ceil_pooling",        "flipped_kernel",   "scrambled_planes",
                         "wrong_order",         "subset_2000",      "ties_to_all",
                         "weight_race",         "clip_ignored",     "nesterov_ignored",
                         "average_ignored",     "stale_evaluation", "bias_correction_missing",
                         "epsilon_misplaced"}) {
    EXPECT_FALSE(testing::fault(id).apply(experiment).has_value()) << id;
  }
}

TEST(Faults, DataFromASubsetIsNotProvableWithoutDistantBatches) {
  Work work = sample_work(testing::small_net(), 12);
  work.distant.clear();
  const Plan plan = make_plan(work);
  EXPECT_FALSE(effect(plan.faults, "subset_2000").provable);
  EXPECT_EQ(to_text(effect(plan.faults, "subset_2000")), "not provable here");
}

// Planes {1 2 3 4} and {5 6 7 8}: channel last the pixels are 1 5 2 6 3 7 4 8, read as planes again.
TEST(Faults, ScrambledPlanesInterleaveTheChannels) {
  Experiment experiment;
  experiment.graph.input_shape = {2, 2, 2};
  experiment.batches = {{{{1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}}, {0}}};
  const auto work = testing::fault("scrambled_planes").apply(experiment);
  ASSERT_TRUE(work.has_value());
  EXPECT_EQ(work->experiment.batches[0].input.values, (std::vector<float>{1, 5, 2, 6, 3, 7, 4, 8}));
}

// [[1 2 3] [4 5 6]] transposed is 1 4 2 5 3 6, read as two rows of three again.
TEST(Faults, TransposedWeightKeepsTheShape) {
  Experiment experiment;
  experiment.weights = {{{2, 3}, {1, 2, 3, 4, 5, 6}}, {{2}, {7, 8}}};
  const auto work = testing::fault("transposed_weight").apply(experiment);
  ASSERT_TRUE(work.has_value());
  EXPECT_EQ(work->experiment.weights[0].values, (std::vector<float>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(work->experiment.weights[1].values, (std::vector<float>{7, 8}));
}

TEST(Faults, FlippedKernelReversesEachPlaneAlone) {
  Experiment experiment;
  experiment.weights = {{{2, 1, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}}};
  const auto work = testing::fault("flipped_kernel").apply(experiment);
  ASSERT_TRUE(work.has_value());
  EXPECT_EQ(work->experiment.weights[0].values, (std::vector<float>{4, 3, 2, 1, 8, 7, 6, 5}));
}

// 1 + 2^-11 lies half way between the two nearest numbers of ten bits and goes up; 1 + 2^-12 goes down.
TEST(Faults, ReducedPrecisionRoundsToTenBits) {
  Experiment experiment;
  experiment.weights = {{{3}, {1.0F, 1.0F + 0x1.0p-11F, -(1.0F + 0x1.0p-12F)}}};
  const auto work = testing::fault("reduced_precision").apply(experiment);
  ASSERT_TRUE(work.has_value());
  EXPECT_EQ(work->experiment.weights[0].values, (std::vector<float>{1.0F, 1.0F + 0x1.0p-10F, -1.0F}));
}

// Batches at samples 0, 1000, 2000, 3000: the subset starts again where it ends.
// 4999 has 13 significant bits: rounded to eleven it would be 5000, a token that the vocabulary has not.
TEST(Faults, TokensStayTokens) {
  Experiment experiment;
  experiment.graph =
      model::Builder("words", {2}, 5000)
          .add("words", "embedding", {{"vocabulary", model::count(5000)}, {"features", model::count(2)}})
          .add("memory", "lstm", {{"hidden", model::count(2)}, {"last_only", true}})
          .add("score", "dense", {{"out_features", model::count(3)}})
          .finish();
  experiment.weights = model::initial_weights(experiment.graph, {});
  experiment.batches = {{{{1, 2}, {4999.0F, 4097.0F}}, {1}}};
  for (const Fault& fault : builtin_faults()) {
    if (const auto work = fault.apply(experiment)) {
      EXPECT_EQ(work->experiment.batches[0].input.values, experiment.batches[0].input.values) << fault.id;
    }
  }
}

TEST(Faults, SubsetRepeatsWhatItHas) {
  Experiment experiment;
  for (const float value : {1.0F, 2.0F, 3.0F, 4.0F}) {
    experiment.batches.push_back({{{1, 1}, {value}}, {0}});
  }
  experiment.positions = {0, 1000, 2000, 3000};
  const auto work = testing::fault("subset_2000").apply(experiment);
  ASSERT_TRUE(work.has_value());
  EXPECT_EQ(work->experiment.batches[2].input.values[0], 1.0F);
  EXPECT_EQ(work->experiment.batches[3].input.values[0], 2.0F);
}

}  // namespace
}  // namespace dlbench::gate
