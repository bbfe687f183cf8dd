#include "study/study.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace dlbench::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string valid = R"(name: small
model: lenet
data: fashion-mnist
seed: 7
recipe:
  batch: 32
  optimizer: {name: sgd, momentum: 0.9, weight_decay: 0.0005}
  rate: {policy: step, base: 0.1, gamma: 0.5, every_steps: 100}
frameworks: [libtorch, jax@0.10.2]
compare: {base: libtorch}
threads: [1, all]
blocks: 9
windows:
  w1: {steps: 80, seconds: 2}
convergence: {epochs: 3, threads: [all]}
)";

// The text with `from` replaced once; the test fails when `from` is not there.
std::string edited(const std::string& from, const std::string& to, std::string text = valid) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

struct Complaint {
  std::string what, where, hint;
};

Complaint complaint_of(const std::string& text) {
  try {
    static_cast<void>(parse_study(text, "s.yaml"));
  } catch (const base::UserError& error) {
    return {error.what(), error.where(), error.hint()};
  }
  ADD_FAILURE() << "accepted:\n" << text;
  return {};
}

TEST(Study, AcceptsDeviationsByName) {
  EXPECT_THAT(parse_study(valid, "s.yaml").accepted_deviations, testing::IsEmpty());
  const auto accepting = [](const std::string& list) {
    return edited("{base: libtorch}", "{base: libtorch, accept_deviations: " + list + "}");
  };
  EXPECT_THAT(parse_study(accepting("[ties_all, momentum=rate_inside]"), "s.yaml").accepted_deviations,
              ElementsAre("ties_all", "momentum=rate_inside"));
  const Complaint unknown = complaint_of(accepting("[tie_all]"));
  EXPECT_THAT(unknown.what, HasSubstr("there is no deviation 'tie_all'"));
  EXPECT_EQ(unknown.where, "s.yaml:10");
  EXPECT_THAT(unknown.hint, HasSubstr("'ties_all'"));
  EXPECT_THAT(complaint_of(accepting("ties_all")).what, HasSubstr("must be a list"));
}

TEST(Study, ReadsEveryKey) {
  const Study study = parse_study(valid, "s.yaml");
  EXPECT_EQ(study.name, "small");
  EXPECT_EQ(study.model, "lenet");
  EXPECT_EQ(study.dataset, "fashion-mnist");
  EXPECT_EQ(study.seed, 7U);
  EXPECT_EQ(study.recipe.batch, 32);
  EXPECT_EQ(study.recipe.optimizer.momentum, 0.9);
  EXPECT_EQ(study.recipe.optimizer.weight_decay, 0.0005);
  EXPECT_EQ(study.recipe.rate.policy, "step");
  EXPECT_EQ(study.recipe.rate.base, 0.1);
  EXPECT_EQ(study.recipe.rate.gamma, 0.5);
  EXPECT_EQ(study.recipe.rate.every_steps, 100);
  EXPECT_EQ(study.recipe.initialiser.seed, 7U);
  ASSERT_EQ(study.frameworks.size(), 2U);
  EXPECT_EQ(study.frameworks[0].version, "");
  EXPECT_EQ(study.frameworks[1].name, "jax");
  EXPECT_EQ(study.frameworks[1].version, "0.10.2");
  EXPECT_EQ(study.frameworks[1].line, 9);
  EXPECT_EQ(study.base, "libtorch");
  EXPECT_THAT(study.threads, ElementsAre(1, all_threads));
  EXPECT_EQ(study.blocks, 9);
  EXPECT_EQ(study.windows.w1_steps, 80);
  EXPECT_EQ(study.windows.w1_seconds, 2.0);
  EXPECT_EQ(study.windows.w2_steps, 200) << "default";
  EXPECT_EQ(study.convergence_epochs, 3);
  EXPECT_THAT(study.convergence_threads, ElementsAre(all_threads));
}

TEST(Study, DefaultsAreTheDocumentedOnes) {
  const Study study = parse_study(edited("windows:\n  w1: {steps: 80, seconds: 2}\n", ""), "s.yaml");
  EXPECT_EQ(study.windows.warm_up_steps, 50);
  EXPECT_EQ(study.windows.warm_up_seconds, 2.0);
  EXPECT_EQ(study.windows.w1_seconds, 5.0);
  EXPECT_EQ(study.windows.w1_steps, 200);
  EXPECT_EQ(study.margin_ratio, 0.02);
  EXPECT_EQ(study.alpha, 0.05);
  EXPECT_EQ(study.max_repeated_blocks, 2) << "20 % of 9 blocks, rounded up";
}

TEST(Study, InferenceWantsABatchAlone) {
  const std::string head =
      "name: n\ntask: inference\nmodel: lenet\ndata: fashion-mnist\nframeworks: [libtorch]\n"
      "compare: {base: libtorch}\nthreads: [1]\n";
  const Study study = parse_study(head + "recipe: {batch: 8}\n", "s.yaml");
  EXPECT_EQ(study.task, record::Task::inference);
  EXPECT_EQ(study.recipe.batch, 8);
  const Complaint rate = complaint_of(head + "recipe: {batch: 8, rate: {policy: fixed, base: 1}}\n");
  EXPECT_EQ(rate.where, "s.yaml:8");
  EXPECT_THAT(rate.what, HasSubstr("unknown key 'rate'"));
  EXPECT_THAT(complaint_of(head + "recipe: {batch: 8}\nconvergence: {epochs: 1, threads: [1]}\n").what,
              HasSubstr("trains nothing"));
  EXPECT_THAT(complaint_of(edited("task: inference", "task: inferense", head)).hint, HasSubstr("inference"));
}

TEST(Study, UnknownKeyNamesLineAndNearestKey) {
  const Complaint complaint = complaint_of(edited("blocks: 9", "blokcs: 9"));
  EXPECT_THAT(complaint.what, HasSubstr("unknown key 'blokcs'"));
  EXPECT_EQ(complaint.where, "s.yaml:12");
  EXPECT_THAT(complaint.hint, HasSubstr("'blocks'"));
}

TEST(Study, UnknownKeyInsideASectionIsFoundToo) {
  const Complaint complaint = complaint_of(edited("momentum: 0.9", "momentun: 0.9"));
  EXPECT_THAT(complaint.what, HasSubstr("momentun"));
  EXPECT_EQ(complaint.where, "s.yaml:7");
  EXPECT_THAT(complaint.hint, HasSubstr("'momentum'"));
}

TEST(Study, UnknownNamesSuggestTheNearest) {
  EXPECT_THAT(complaint_of(edited("model: lenet", "model: lenett")).hint, HasSubstr("'lenet'"));
  EXPECT_THAT(complaint_of(edited("data: fashion-mnist", "data: fashion_mnist")).hint,
              HasSubstr("'fashion-mnist'"));
  EXPECT_THAT(complaint_of(edited("base: libtorch", "base: libtroch")).hint, HasSubstr("'libtorch'"));
  EXPECT_THAT(complaint_of(edited("policy: step", "policy: stpe")).hint, HasSubstr("'step'"));
}

TEST(Study, VersionsOfOneFrameworkStandSideBySide) {
  const auto with = [](const std::string& frameworks, const std::string& base) {
    return edited("base: libtorch", "base: " + base, edited("[libtorch, jax@0.10.2]", frameworks));
  };
  const Study two = parse_study(with("[libtorch@1.13.1, jax, libtorch@2.15.0]", "libtorch@2.15.0"), "s.yaml");
  ASSERT_EQ(two.frameworks.size(), 3U);
  EXPECT_EQ(two.frameworks[2].version, "2.15.0");
  EXPECT_EQ(two.base_index, 2U);
  EXPECT_EQ(parse_study(with("[jax, libtorch@2.15.0]", "libtorch"), "s.yaml").base_index, 1U);
  EXPECT_EQ(parse_study(with("[libtorch@2.15.0, libtorch]", "libtorch"), "s.yaml").base_index, 1U);
  EXPECT_THAT(complaint_of(with("[libtorch@1.13.1, libtorch@2.15.0]", "libtorch")).what,
              HasSubstr("the base 'libtorch' is listed in several versions"));
  EXPECT_THAT(complaint_of(with("[jax, libtorch@2.15.0]", "libtorch@2.15.1")).hint,
              HasSubstr("'libtorch@2.15.0'"));
  EXPECT_THAT(complaint_of(with("[libtorch@1, libtorch@1]", "libtorch@1")).what, HasSubstr("twice"));
}

TEST(Study, MissingKeysAreNamed) {
  for (const std::string line : {"name: small\n", "model: lenet\n", "data: fashion-mnist\n",
                                 "threads: [1, all]\n", "compare: {base: libtorch}\n"}) {
    const std::string key = line.substr(0, line.find(':'));
    EXPECT_THAT(complaint_of(edited(line, "")).what, HasSubstr("'" + key + "'"));
  }
}

TEST(Study, BadValuesSayWhatIsAllowed) {
  EXPECT_THAT(complaint_of(edited("batch: 32", "batch: 0")).what,
              HasSubstr("'batch' must be a whole number from 1"));
  EXPECT_THAT(complaint_of(edited("batch: 32", "batch: 3.5")).what, HasSubstr("whole number"));
  EXPECT_THAT(complaint_of(edited("base: 0.1", "base: .inf")).what, HasSubstr("'base' must be a number"));
  EXPECT_THAT(complaint_of(edited("threads: [1, all]", "threads: [0]")).what,
              HasSubstr("'threads' takes whole numbers"));
  EXPECT_THAT(complaint_of(edited("threads: [1, all]", "threads: 2")).what, HasSubstr("must be a list"));
  EXPECT_THAT(complaint_of(edited("name: sgd", "name: adm")).what, HasSubstr("'adm' is unknown"));
  EXPECT_THAT(complaint_of(edited("seed: 7", "seed: -1")).what, HasSubstr("'seed'"));
}

TEST(Study, OptimizersClippingAndPoliciesAreRead) {
  std::string text =
      edited("{name: sgd, momentum: 0.9, weight_decay: 0.0005}", "{name: rmsprop, centered: true}");
  text.replace(text.find("  rate:"), text.find("frameworks:") - text.find("  rate:"),
               "  clip: {by: global_norm, limit: 5}\n  weight_ema: {decay: 0.99}\n  rate: {policy: "
               "multistep, base: 0.1, gamma: 0.5, "
               "at_steps: [10, 20]}\n");
  const model::Recipe recipe = parse_study(text, "s.yaml").recipe;
  EXPECT_EQ(recipe.optimizer.name, "rmsprop");
  EXPECT_TRUE(recipe.optimizer.centered);
  EXPECT_EQ(recipe.optimizer.rho, 0.9) << "default";
  EXPECT_EQ(recipe.clip.by, model::ClipBy::global_norm);
  EXPECT_EQ(recipe.clip.limit, 5.0);
  EXPECT_EQ(recipe.weight_ema.decay, 0.99);
  EXPECT_FALSE(recipe.weight_ema.ramp);
  EXPECT_THAT(recipe.rate.at_steps, ElementsAre(10, 20));
}

TEST(Study, RecipeKeysOfAnotherNameAreRefusedWithTheLine) {
  const Complaint optimizer = complaint_of(edited("momentum: 0.9", "rho: 0.9"));
  EXPECT_THAT(optimizer.what, HasSubstr("unknown key 'rho'"));
  EXPECT_EQ(optimizer.where, "s.yaml:7");
  EXPECT_THAT(complaint_of(edited("gamma: 0.5, every_steps: 100", "gamma: 0.5, power: 1")).what,
              HasSubstr("unknown key 'power'"));
  const Complaint missing = complaint_of(edited(", every_steps: 100", ""));
  EXPECT_THAT(missing.what, HasSubstr("lacks the key 'every_steps'"));
  const Complaint outside = complaint_of(edited("momentum: 0.9", "momentum: 1"));
  EXPECT_THAT(outside.what, HasSubstr("'momentum' must be at least 0 and below 1"));
  EXPECT_EQ(outside.where, "s.yaml:7");
  EXPECT_THAT(complaint_of(edited("momentum: 0.9", "nesterov: true")).what, HasSubstr("needs a momentum"));
  EXPECT_THAT(complaint_of(edited("  rate:", "  clip: {by: nrom, limit: 1}\n  rate:")).what,
              HasSubstr("'nrom' is unknown"));
  EXPECT_THAT(complaint_of(edited("name: sgd", "name: rmspro")).hint, HasSubstr("'rmsprop'"));
}

TEST(Study, RepeatedKeysAndFrameworksAreRefused) {
  EXPECT_THAT(complaint_of(valid + "seed: 8\n").what, HasSubstr("twice"));
  EXPECT_THAT(complaint_of(edited("jax@0.10.2", "libtorch")).what, HasSubstr("listed twice"));
}

TEST(Study, BrokenYamlNamesTheLine) {
  const Complaint complaint = complaint_of("name: [unclosed\n");
  EXPECT_THAT(complaint.what, HasSubstr("not valid YAML"));
  EXPECT_THAT(complaint.where, HasSubstr("s.yaml:"));
}

TEST(Study, NotAMappingIsRefused) {
  EXPECT_THAT(complaint_of("- a\n- b\n").what, HasSubstr("must be a mapping"));
  EXPECT_THAT(complaint_of("").what, HasSubstr("must be a mapping"));
}

TEST(Study, MissingFileIsTheUsersMistake) {
  EXPECT_THROW(static_cast<void>(read_study("/no/such/study.yaml")), base::UserError);
}

TEST(Study, TheShippedStudiesAreValid) {
  EXPECT_NO_THROW(
      static_cast<void>(read_study(std::string(DLBENCH_SOURCE_DIR) + "/studies/quickstart.yaml")));
}

}  // namespace
}  // namespace dlbench::study
