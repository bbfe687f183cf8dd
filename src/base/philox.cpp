#include "base/philox.hpp"

#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "base/error.hpp"

namespace dlbench::base {
namespace {

constexpr std::uint32_t multiplier_0 = 0xD2511F53U;
constexpr std::uint32_t multiplier_1 = 0xCD9E8D57U;
constexpr std::uint32_t weyl_0 = 0x9E3779B9U;
constexpr std::uint32_t weyl_1 = 0xBB67AE85U;

PhiloxCounter round_once(const PhiloxCounter& c, const PhiloxKey& k) {
  const std::uint64_t product_0 = static_cast<std::uint64_t>(multiplier_0) * c[0];
  const std::uint64_t product_1 = static_cast<std::uint64_t>(multiplier_1) * c[2];
  return {static_cast<std::uint32_t>(product_1 >> 32U) ^ c[1] ^ k[0], static_cast<std::uint32_t>(product_1),
          static_cast<std::uint32_t>(product_0 >> 32U) ^ c[3] ^ k[1], static_cast<std::uint32_t>(product_0)};
}

}  // namespace

PhiloxCounter philox4x32_10(PhiloxCounter counter, PhiloxKey key) {
  for (int i = 0; i < 10; ++i) {
    counter = round_once(counter, key);
    key[0] += weyl_0;
    key[1] += weyl_1;
  }
  return counter;
}

// Counter words 0 and 1 hold index / 4, word 2 the sub-stream, word 3 the stream: streams never overlap.
Random::Random(std::uint64_t seed, Stream stream, std::uint64_t sub_stream)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)},
      stream_low_(static_cast<std::uint32_t>(sub_stream)),
      stream_high_(static_cast<std::uint32_t>(stream)) {
  DLBENCH_ASSERT(sub_stream <= 0xFFFFFFFFULL, "sub-stream needs 32 bits");
}

std::uint32_t Random::bits(std::uint64_t index) const {
  const std::uint64_t block = index / 4;
  const PhiloxCounter counter = {static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32U),
                                 stream_low_, stream_high_};
  return philox4x32_10(counter, key_)[index % 4];
}

float Random::uniform(std::uint64_t index) const {
  return static_cast<float>(bits(index) >> 8U) * 0x1.0p-24F;
}

std::uint64_t Random::below(std::uint64_t index, std::uint64_t bound) const {
  DLBENCH_ASSERT(bound > 0 && bound <= 0xFFFFFFFFULL, "bound must fit 32 bits");
  const std::uint64_t high = bits(2 * index);
  const std::uint64_t low = bits(2 * index + 1);
  // (high·2³² + low)·bound / 2⁶⁴ in two steps, exact because bound < 2³².
  const std::uint64_t carry = (low * bound) >> 32U;
  return (high * bound + carry) >> 32U;
}

double Random::normal(std::uint64_t index) const {
  const double u = (static_cast<double>(bits(2 * index)) + 0.5) * 0x1.0p-32;
  const double v = static_cast<double>(bits(2 * index + 1)) * 0x1.0p-32;
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
}

std::vector<std::uint32_t> Random::permutation(std::uint32_t count) const {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint32_t i = count; i > 1; --i) {
    std::swap(order[i - 1], order[below(count - i, i)]);
  }
  return order;
}

}  // namespace dlbench::base
