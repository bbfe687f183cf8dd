// The real data set, as Debian packages it. The counts are those that its authors publish.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <numeric>

#include "data/dataset.hpp"

namespace dlbench::data {
namespace {

class FashionMnist : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(known_datasets().front().default_folder)) {
      GTEST_SKIP() << "not installed: " << known_datasets().front().hint;
    }
  }
};

std::array<int, 10> count_labels(const SampleSet& set) {
  std::array<int, 10> counts{};
  for (const std::int32_t label : set.labels) {
    ++counts.at(static_cast<std::size_t>(label));
  }
  return counts;
}

TEST_F(FashionMnist, HasThePublishedCounts) {
  const Dataset dataset = load_dataset("fashion-mnist");
  EXPECT_EQ(dataset.class_count, 10);
  EXPECT_EQ(dataset.train.count, 60000);
  EXPECT_EQ(dataset.test.count, 10000);
  for (const SampleSet* set : {&dataset.train, &dataset.test}) {
    EXPECT_EQ(set->shape, (std::vector<std::int64_t>{1, 28, 28}));
    EXPECT_EQ(set->pixels.size(), static_cast<std::size_t>(set->count * 784));
  }
  for (std::size_t c = 0; c < 10; ++c) {
    EXPECT_EQ(count_labels(dataset.train)[c], 6000) << c;
    EXPECT_EQ(count_labels(dataset.test)[c], 1000) << c;
  }
}

// The sum over all bytes behind the header, from Python's gzip module; mean 0.2860 of full scale, as is
// widely quoted.
TEST_F(FashionMnist, HasTheSumOfAnIndependentReader) {
  const Dataset dataset = load_dataset("fashion-mnist");
  const auto& pixels = dataset.train.pixels;
  EXPECT_EQ(std::accumulate(pixels.begin(), pixels.end(), std::int64_t{0}), 3431114169);
}

TEST_F(FashionMnist, HasAStableDigest) {
  const std::string digest = load_dataset("fashion-mnist").digest;
  EXPECT_EQ(digest.size(), 32U);
  EXPECT_EQ(digest, load_dataset("fashion-mnist").digest);
}

}  // namespace
}  // namespace dlbench::data
