// LeNet on Fashion-MNIST at batch 64: the case that the first studies time.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "base/error.hpp"
#include "data/dataset.hpp"
#include "gate/runs.hpp"
#include "zoo/zoo.hpp"

namespace dlbench::gate {
namespace {

model::Batch batch_at(const data::Dataset& dataset, const std::vector<std::uint32_t>& order,
                      std::size_t first, std::int64_t rows) {
  const data::SampleSet& train = dataset.train;
  model::Batch batch;
  batch.input.shape = {rows, 1, 28, 28};
  batch.input.values.resize(static_cast<std::size_t>(rows * train.sample_elements()));
  batch.target.resize(static_cast<std::size_t>(rows));
  data::fill_pictures(train, order.data() + first, rows, batch.input.values.data(), batch.target.data());
  return batch;
}

// 60,000 samples make 937 batches of 64 and one of 32.
Work real_work(const data::Dataset& dataset) {
  const std::vector<std::uint32_t> order =
      data::epoch_order(1, 0, static_cast<std::uint32_t>(dataset.train.count));
  Work work;
  work.graph = zoo::lenet();
  work.recipe.optimizer.momentum = 0.9;
  work.recipe.optimizer.weight_decay = 5e-4;
  for (std::size_t i = 0; i < 10; ++i) {
    work.batches.push_back(batch_at(dataset, order, 64 * i, 64));
  }
  work.partial = batch_at(dataset, order, order.size() - 32, 32);
  work.distant.push_back({64 * 32, batch_at(dataset, order, 64 * 32, 64)});
  return work;
}

TEST(FashionMnist, LenetIsProvable) {
  data::Dataset dataset;
  try {
    dataset = data::load_dataset("fashion-mnist");
  } catch (const base::UserError& error) {
    GTEST_SKIP() << error.what();
  }
  const auto begin = std::chrono::steady_clock::now();
  const Plan plan = make_plan(real_work(dataset));
  const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
  std::printf("plan: %.1f s, k = %lld\n", spent.count(), static_cast<long long>(plan.certified_steps));
  EXPECT_EQ(plan.unverified_reason, "");
  double smallest = 1e300;
  for (const record::FaultEffect& effect : plan.faults) {
    std::printf("%-22s %s\n", effect.fault.c_str(), to_text(effect).c_str());
    if (effect.provable) {
      smallest = std::min(smallest, effect.effect_over_limit);
    }
  }
  for (const Expectation& expectation : plan.expectations) {
    double largest = 0.0;
    for (const double limit : expectation.tensor_limits) {
      largest = std::max(largest, limit);
    }
    std::printf("%-18s largest limit %.2g\n", expectation.experiment.id.c_str(), largest);
  }
  double worst = 0.0;
  for (const std::uint64_t variation : {0U, 201U, 202U}) {
    const testing::Results results = testing::run(plan, testing::rounding(variation));
    worst = std::max(worst, testing::worst_error_over_limit(plan, results));
    const record::Certificate certificate = judge(plan, results, {});
    EXPECT_EQ(certificate.verdict, record::Verdict::pass) << certificate.reason;
  }
  std::printf("worst float error %.3f limits, smallest provable fault %.3g limits\n", worst, smallest);
}

}  // namespace
}  // namespace dlbench::gate
