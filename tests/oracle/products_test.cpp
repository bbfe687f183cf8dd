#include "oracle/products.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/error.hpp"
#include "oracle/support.hpp"

namespace dlbench::oracle {
namespace {

using testing::noise;

std::vector<float> floats(std::size_t count, std::uint64_t stream) {
  const std::vector<double> values = noise(count, stream);
  return {values.begin(), values.end()};
}

// A = (1 2 3; 4 5 6), B = (1 0; 0 1; 2 2): A B = (7 8; 16 17).
template <typename T>
void expect_hand_product(std::uint64_t variation) {
  const std::vector<T> a = {1, 2, 3, 4, 5, 6};
  const std::vector<T> a_transposed = {1, 4, 2, 5, 3, 6};
  const std::vector<T> b = {1, 0, 0, 1, 2, 2};
  const std::vector<T> b_transposed = {1, 0, 2, 0, 1, 2};
  const std::vector<T> expected = {7, 8, 16, 17};
  Products<T> products(variation);
  std::vector<T> c = {100, 100, 100, 100};
  products.multiply({a.data(), 2, 3, false}, {b.data(), 3, 2, false}, c.data());
  EXPECT_EQ(c, expected) << variation;
  products.multiply({a_transposed.data(), 3, 2, true}, {b.data(), 3, 2, false}, c.data());
  EXPECT_EQ(c, expected) << variation;
  products.multiply({a_transposed.data(), 3, 2, true}, {b_transposed.data(), 2, 3, true}, c.data());
  EXPECT_EQ(c, expected) << variation;
  products.multiply({a.data(), 2, 3, false}, {b_transposed.data(), 2, 3, true}, c.data(), Store::add);
  EXPECT_EQ(c, (std::vector<T>{14, 16, 32, 34})) << variation;
}

// Small integers are exact in any order, so every variation gives the same.
TEST(ProductsTest, MultipliesInEveryLayoutAndVariation) {
  for (std::uint64_t variation = 0; variation < 9; ++variation) {
    expect_hand_product<double>(variation);
    expect_hand_product<float>(variation);
  }
}

TEST(ProductsTest, SumsColumns) {
  const std::vector<float> matrix = {1, 10, 2, 20, 3, 30};
  for (std::uint64_t variation = 0; variation < 5; ++variation) {
    Products<float> products(variation);
    std::vector<float> sums = {-1, -1};
    products.column_sums(matrix.data(), 3, 2, sums.data());
    EXPECT_EQ(sums, (std::vector<float>{6, 60}));
    products.column_sums(matrix.data(), 3, 2, sums.data(), Store::add);
    EXPECT_EQ(sums, (std::vector<float>{12, 120}));
  }
}

TEST(ProductsTest, AnEmptyInnerDimensionSumsToZero) {
  Products<double> products(0);
  double c = 5.0;
  products.multiply({nullptr, 1, 0, false}, {nullptr, 0, 1, false}, &c);
  EXPECT_EQ(c, 0.0);
}

TEST(ProductsTest, DifferingInnerDimensionsAreABug) {
  Products<double> products(0);
  const std::vector<double> a(6);
  std::vector<double> c(4);
  EXPECT_THROW(products.multiply({a.data(), 2, 3, false}, {a.data(), 2, 3, false}, c.data()), base::Bug);
}

std::vector<float> product_of_noise(std::uint64_t variation) {
  const std::vector<float> a = floats(std::size_t{4} * 700, 1);
  const std::vector<float> b = floats(std::size_t{700} * 5, 2);
  std::vector<float> c(20);
  Products<float>(variation).multiply({a.data(), 4, 700, false}, {b.data(), 700, 5, false}, c.data());
  return c;
}

TEST(ProductsTest, VariationsDifferInBitsAndAgreeWithinRoundOff) {
  const std::vector<double> a = noise(std::size_t{4} * 700, 1);
  const std::vector<double> b = noise(std::size_t{700} * 5, 2);
  std::vector<double> exact(20);
  Products<double>(0).multiply({a.data(), 4, 700, false}, {b.data(), 700, 5, false}, exact.data());
  std::set<std::vector<float>> distinct;
  constexpr std::uint64_t count = 16;
  for (std::uint64_t variation = 0; variation < count; ++variation) {
    const std::vector<float> c = product_of_noise(variation);
    EXPECT_EQ(c, product_of_noise(variation)) << "not repeatable: " << variation;
    for (std::size_t i = 0; i < c.size(); ++i) {
      // Σ |a||b| is about 700 / 16 = 44; random-walk rounding stays far below 44 · 700 · 2^-24.
      EXPECT_NEAR(static_cast<double>(c[i]), exact[i], 2e-5);
    }
    distinct.insert(c);
  }
  EXPECT_EQ(distinct.size(), count);
}

// Against the exact a·b - c by one fused multiply-add: a = 1 + 2^-12 gives a² = 1 + 2^-11 + 2^-24, whose last
// bit a separate product loses. Summing (-(1 + 2^-11)) first or last, only a fused kernel can keep 2^-24.
TEST(ProductsTest, OneVariationInFourIsFused) {
  const float x = 1.0F + 0x1.0p-12F;
  const std::vector<float> a = {-(1.0F + 0x1.0p-11F), x};
  const std::vector<float> b = {1.0F, x};
  int exact_count = 0;
  for (std::uint64_t variation = 1; variation < 101; ++variation) {
    float c = 0.0F;
    Products<float>(variation).multiply({a.data(), 1, 2, false}, {b.data(), 2, 1, false}, &c);
    EXPECT_TRUE(c == 0.0F || c == 0x1.0p-24F) << c;
    if (variation % 4 == 2) {
      EXPECT_EQ(c, 0.0F) << variation;
    }
    if (variation % 4 == 1 && c != 0.0F) {
      ++exact_count;
    }
  }
  // A fused variation shows it when the two terms fall into one partial sum (one part of 1..8: 1 in 8 of the
  // variations) and the square comes second.
  EXPECT_GT(exact_count, 0);
}

TEST(ProductsTest, DoubleIgnoresVariations) {
  const std::vector<double> a = noise(300, 1);
  double plain = 0.0;
  double varied = 0.0;
  Products<double>(0).multiply({a.data(), 1, 300, false}, {a.data(), 300, 1, false}, &plain);
  Products<double>(5).multiply({a.data(), 1, 300, false}, {a.data(), 300, 1, false}, &varied);
  EXPECT_EQ(plain, varied);
  Array<double> array({300});
  array.values = a;
  Products<double>(5).perturb(array);
  EXPECT_EQ(array.values, a);
}

TEST(ProductsTest, PerturbationMovesUpToOneUlp) {
  Array<float> original({1000});
  original.values = floats(1000, 4);
  original.values[0] = 0.0F;
  Products<float> products(3);
  Array<float> first = original;
  products.perturb(first);
  Array<float> second = original;
  products.perturb(second);
  EXPECT_NE(first.values, second.values) << "each call draws anew";
  int up = 0;
  int down = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    const float from = original.values[i];
    const float to = first.values[i];
    if (to > from) {
      EXPECT_EQ(to, std::nextafter(from, 1.0F));
      ++up;
    } else if (to < from) {
      EXPECT_EQ(to, std::nextafter(from, -1.0F));
      ++down;
    }
  }
  EXPECT_EQ(first.values[0], 0.0F);
  // A quarter each: 250 ± 14; the bounds are five deviations wide.
  EXPECT_NEAR(up, 250, 70);
  EXPECT_NEAR(down, 250, 70);

  Array<float> plain = original;
  Products<float>(0).perturb(plain);
  EXPECT_EQ(plain.values, original.values);
}

TEST(ProductsTest, AVariationBeyondTheRandomStreamIsABug) {
  EXPECT_THROW(Products<float>(std::uint64_t{1} << 32U), base::Bug);
}

}  // namespace
}  // namespace dlbench::oracle
