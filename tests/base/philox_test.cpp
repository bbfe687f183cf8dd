#include "base/philox.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace dlbench::base {
namespace {

// The generator's authors publish these three answers with their reference implementation (kat_vectors).
TEST(Philox, GivesThePublishedAnswers) {
  EXPECT_EQ(philox4x32_10({0, 0, 0, 0}, {0, 0}),
            (PhiloxCounter{0x6627e8d5U, 0xe169c58dU, 0xbc57ac4cU, 0x9b00dbd8U}));
  EXPECT_EQ(philox4x32_10({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}),
            (PhiloxCounter{0x408f276dU, 0x41c83b0eU, 0xa20bc7c6U, 0x6d5451fdU}));
  EXPECT_EQ(philox4x32_10({0x243f6a88U, 0x85a308d3U, 0x13198a2eU, 0x03707344U}, {0xa4093822U, 0x299f31d0U}),
            (PhiloxCounter{0xd16cfe09U, 0x94fdccebU, 0x5001e420U, 0x24126ea1U}));
}

// Counter words 0 and 1 are index / 4, 2 the sub-stream, 3 the stream; the key is the seed.
TEST(Random, IsAFunctionOfSeedStreamAndIndex) {
  const Random random(0x299f31d0a4093822ULL, Stream::data_order, 7);
  const PhiloxCounter block = philox4x32_10({1, 0, 7, 2}, {0xa4093822U, 0x299f31d0U});
  for (std::uint64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(random.bits(4 + i), block[i]);
  }
}

TEST(Random, StreamsSeedsAndSubStreamsDiffer) {
  const std::uint32_t bits = Random(1, Stream::data_order, 0).bits(0);
  EXPECT_NE(bits, Random(2, Stream::data_order, 0).bits(0));
  EXPECT_NE(bits, Random(1, Stream::augmentation, 0).bits(0));
  EXPECT_NE(bits, Random(1, Stream::data_order, 1).bits(0));
}

TEST(Random, RefusesASubStreamOfMoreThan32Bits) {
  EXPECT_THROW(Random(1, Stream::data_order, 1ULL << 32U), Bug);
}

TEST(Random, BelowStaysBelowAndReachesBothEnds) {
  const Random random(3, Stream::verification);
  for (const std::uint64_t bound : {1ULL, 2ULL, 3ULL, 10ULL}) {
    std::vector<int> seen(bound);
    for (std::uint64_t i = 0; i < 2000; ++i) {
      const std::uint64_t value = random.below(i, bound);
      ASSERT_LT(value, bound);
      ++seen[value];
    }
    // 2000 draws: the rarest of ten values is expected 200 times, 13.4 standard deviations from 20.
    EXPECT_GT(*std::min_element(seen.begin(), seen.end()), 20);
  }
  EXPECT_LT(random.below(0, 0xFFFFFFFFULL), 0xFFFFFFFFULL);
  EXPECT_THROW((void)random.below(0, 0), Bug);
  EXPECT_THROW((void)random.below(0, 1ULL << 32U), Bug);
}

// The mean of n uniforms has standard deviation 1/sqrt(12 n) = 0.0009 for n = 100,000; the limits are 5 of
// them.
TEST(Random, UniformHasTheRightMoments) {
  const Random random(5, Stream::initial_weights);
  constexpr std::uint64_t n = 100'000;
  double sum = 0.0;
  double squares = 0.0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double u = static_cast<double>(random.uniform(i));
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / n, 0.5, 0.0046);
  EXPECT_NEAR(squares / n, 1.0 / 3.0, 0.0048);
}

// Mean, variance and fourth moment of the standard normal are 0, 1 and 3; limits are 5 standard deviations of
// the estimates (1, sqrt(2), sqrt(96), each over sqrt(n)).
TEST(Random, NormalHasTheRightMoments) {
  const Random random(6, Stream::verification);
  constexpr std::uint64_t n = 100'000;
  double first = 0.0;
  double second = 0.0;
  double fourth = 0.0;
  for (std::uint64_t i = 0; i < n; ++i) {
    const double x = random.normal(i);
    ASSERT_TRUE(std::isfinite(x));
    first += x;
    second += x * x;
    fourth += x * x * x * x;
  }
  EXPECT_NEAR(first / n, 0.0, 0.016);
  EXPECT_NEAR(second / n, 1.0, 0.023);
  EXPECT_NEAR(fourth / n, 3.0, 0.155);
}

TEST(Random, PermutationHoldsEachIndexOnce) {
  for (const std::uint32_t count : {0U, 1U, 2U, 1000U}) {
    std::vector<std::uint32_t> order = Random(9, Stream::data_order, 4).permutation(count);
    ASSERT_EQ(order.size(), count);
    std::sort(order.begin(), order.end());
    for (std::uint32_t i = 0; i < count; ++i) {
      ASSERT_EQ(order[i], i);
    }
  }
}

// A shuffle that cannot move some element far, or that forgets one end, shows as a bias of the first place:
// each of 5 values is expected 1000 times of 5000, standard deviation 28.
TEST(Random, PermutationPutsEveryIndexFirstEquallyOften) {
  std::vector<int> first(5);
  std::vector<int> last(5);
  for (std::uint64_t epoch = 0; epoch < 5000; ++epoch) {
    const std::vector<std::uint32_t> order = Random(9, Stream::data_order, epoch).permutation(5);
    ++first[order.front()];
    ++last[order.back()];
  }
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(first[i], 1000, 140);
    EXPECT_NEAR(last[i], 1000, 140);
  }
}

}  // namespace
}  // namespace dlbench::base
