#include "data/synthetic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/error.hpp"

namespace dlbench::data {
namespace {

TEST(Synthetic, HasTheShapeThatWasAskedFor) {
  const Dataset made = make_synthetic(Picture{3, 10, 12}, 7);
  EXPECT_EQ(made.name, "synthetic");
  EXPECT_EQ(made.class_count, 7);
  for (const SampleSet* set : {&made.train, &made.test}) {
    EXPECT_EQ(set->shape, (std::vector<std::int64_t>{3, 10, 12}));
    EXPECT_EQ(set->pixels.size(), static_cast<std::size_t>(set->count * 3 * 10 * 12));
    EXPECT_EQ(set->labels.size(), static_cast<std::size_t>(set->count));
    EXPECT_EQ(std::set<int>(set->labels.begin(), set->labels.end()).size(), 7U);
    EXPECT_THAT(set->labels, ::testing::Each(::testing::Lt(7)));
  }
  EXPECT_EQ(made.train.count, 4128);
  EXPECT_EQ(made.test.count, 512);
}

TEST(Synthetic, LabelsOfSequencesAreTheNextTokens) {
  const Dataset made = make_synthetic(Sequences{6, 50, true}, 50);
  EXPECT_EQ(made.vocabulary, 50);
  EXPECT_EQ(made.train.shape, (std::vector<std::int64_t>{6}));
  EXPECT_EQ(made.train.labels_per_sample, 6);
  EXPECT_EQ(made.train.tokens.size(), 4128U * 6);
  ASSERT_EQ(made.train.labels.size(), 4128U * 6);
  EXPECT_THAT(made.train.tokens, ::testing::Each(::testing::AllOf(::testing::Ge(0), ::testing::Lt(50))));
  for (std::size_t i = 0; i + 1 < 6; ++i) {
    EXPECT_EQ(made.train.labels[6 + i], made.train.tokens[6 + i + 1]);
  }
  EXPECT_NE(made.digest, make_synthetic(Sequences{6, 51, true}, 50).digest);
}

TEST(Synthetic, OneLabelForASequence) {
  const Dataset made = make_synthetic(Sequences{6, 50, false}, 2);
  EXPECT_EQ(made.test.labels_per_sample, 1);
  EXPECT_EQ(std::set<int>(made.test.labels.begin(), made.test.labels.end()).size(), 2U);
  EXPECT_THROW((void)make_synthetic(Sequences{0, 50, false}, 2), base::UserError);
}

TEST(Synthetic, IsAPureFunctionOfShapeAndClasses) {
  const Dataset first = make_synthetic(Picture{1, 8, 8}, 10);
  EXPECT_EQ(first.train.pixels, make_synthetic(Picture{1, 8, 8}, 10).train.pixels);
  EXPECT_EQ(first.digest, make_synthetic(Picture{1, 8, 8}, 10).digest);
  EXPECT_NE(first.digest, make_synthetic(Picture{1, 8, 9}, 10).digest);
  EXPECT_NE(first.digest, make_synthetic(Picture{1, 8, 8}, 9).digest);
}

// A network can learn it: pictures of one class are nearer to their mean than to another class's.
TEST(Synthetic, ClassesLookDifferent) {
  const SampleSet set = make_synthetic(Picture{1, 12, 12}, 2).train;
  const auto elements = static_cast<std::size_t>(set.sample_elements());
  std::vector<std::vector<double>> means(2, std::vector<double>(elements));
  std::vector<double> counts(2);
  const auto pixel = [&](std::size_t i, std::size_t e) {
    return static_cast<double>(set.pixels[i * elements + e]);
  };
  for (std::size_t i = 0; i < set.labels.size(); ++i) {
    counts[static_cast<std::size_t>(set.labels[i])] += 1;
    for (std::size_t e = 0; e < elements; ++e) {
      means[static_cast<std::size_t>(set.labels[i])][e] += pixel(i, e);
    }
  }
  std::size_t right = 0;
  for (std::size_t i = 0; i < set.labels.size(); ++i) {
    std::vector<double> distances(2);
    for (std::size_t c = 0; c < 2; ++c) {
      for (std::size_t e = 0; e < elements; ++e) {
        const double away = pixel(i, e) - means[c][e] / counts[c];
        distances[c] += away * away;
      }
    }
    right += (distances[1] < distances[0]) == (set.labels[i] == 1);
  }
  EXPECT_GT(static_cast<double>(right) / static_cast<double>(set.labels.size()), 0.8);
}

TEST(Synthetic, RefusesWhatBytesCannotLabelAndWhatMemoryCannotHold) {
  EXPECT_THROW((void)make_synthetic(Picture{1, 8, 8}, 65'537), base::UserError);
  EXPECT_THROW((void)make_synthetic(Picture{3, 4096, 4096}, 10), base::UserError);
}

}  // namespace
}  // namespace dlbench::data
