#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "gate/gate.hpp"
#include "gate/sample_work.hpp"

namespace dlbench::gate {
namespace {

// A short plan: serialising knows nothing of how it came about.
Plan short_plan() {
  Work work = sample_work(*fault_graph("two_hidden"), 3, 2);
  work.batches.resize(3);
  return make_plan(work);
}

TEST(Serialise, RoundTripGivesTheSameBytes) {
  Plan plan = short_plan();
  plan.expectations[0].experiment.norm = Norm::euclidean;
  plan.expectations[0].experiment.classifies = true;
  plan.expectations[1].experiment.is_timed = true;
  const std::string bytes = serialise(plan);
  const Plan read = deserialise(bytes);
  EXPECT_EQ(serialise(read), bytes);
  EXPECT_EQ(read.key, plan.key);
  EXPECT_EQ(read.certified_steps, plan.certified_steps);
  ASSERT_EQ(read.expectations.size(), plan.expectations.size());
  for (std::size_t i = 0; i < plan.expectations.size(); ++i) {
    EXPECT_EQ(read.expectations[i].experiment.id, plan.expectations[i].experiment.id);
    EXPECT_EQ(read.expectations[i].truth.weights, plan.expectations[i].truth.weights);
    EXPECT_EQ(read.expectations[i].tensor_limits, plan.expectations[i].tensor_limits);
    EXPECT_EQ(read.expectations[i].experiment.repeats, plan.expectations[i].experiment.repeats);
    EXPECT_EQ(read.expectations[i].experiment.norm, plan.expectations[i].experiment.norm);
    EXPECT_EQ(read.expectations[i].experiment.classifies, i == 0);
    EXPECT_EQ(read.expectations[i].experiment.is_timed,
              i == 1 || plan.expectations[i].experiment.id == "timed.steps");
  }
}

TEST(Serialise, DamageIsRefused) {
  const std::string bytes = serialise(short_plan());
  EXPECT_THROW((void)deserialise(""), base::UserError);
  EXPECT_THROW((void)deserialise(bytes.substr(0, bytes.find('\n') + 1)), base::UserError);
  for (const std::size_t at : {std::size_t{0}, std::size_t{20}, bytes.size() / 2, bytes.size() - 1}) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_THROW((void)deserialise(damaged), base::UserError) << at;
    EXPECT_THROW((void)deserialise(std::string_view(bytes).substr(0, at)), base::UserError) << at;
  }
}

// The checksum is no protection against a file that was written wrongly: every length and count must still be
// checked.
TEST(Serialise, DamageWithARightChecksumIsRefusedOrHarmless) {
  const std::string bytes = serialise(short_plan());
  const std::string magic = bytes.substr(0, bytes.find('\n') + 1);
  const std::size_t header = magic.size() + 32;
  std::string body = bytes.substr(header);
  for (std::size_t at = 0; at < body.size(); at += 37) {
    const char kept = body[at];
    body[at] = static_cast<char>(0xFF);
    const std::string damaged = magic + base::hash_hex(body) + body;
    try {
      (void)deserialise(damaged);
    } catch (const base::UserError&) {
      // the only exception that may leave
    }
    body[at] = kept;
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, body.size() / 3, body.size() - 1}) {
    const std::string cut = body.substr(0, size);
    EXPECT_THROW((void)deserialise(magic + base::hash_hex(cut) + cut), base::UserError) << size;
  }
}

TEST(PlanKey, ChangesWithEveryPartOfTheWork) {
  const Work work = sample_work(*fault_graph("two_hidden"), 3, 2);
  const std::string key = plan_key(work);
  EXPECT_EQ(plan_key(work), key);
  Work changed = work;
  changed.seed = 2;
  EXPECT_NE(plan_key(changed), key);
  changed = work;
  changed.recipe.rate.base *= 2;
  EXPECT_NE(plan_key(changed), key);
  changed = work;
  changed.batches[1].input.values[0] += 0.5F;
  EXPECT_NE(plan_key(changed), key);
  changed = work;
  changed.batches[2].target[0] ^= 1;
  EXPECT_NE(plan_key(changed), key);
  changed = work;
  changed.partial.reset();
  EXPECT_NE(plan_key(changed), key);
  changed = work;
  changed.distant[0].position = 4096;
  EXPECT_NE(plan_key(changed), key);
  changed = work;
  changed.graph = *fault_graph("odd_pool");
  EXPECT_NE(plan_key(changed), key);
}

}  // namespace
}  // namespace dlbench::gate
