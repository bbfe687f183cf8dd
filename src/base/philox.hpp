// Philox4x32-10, the counter-based generator of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3"
// (SC 2011).
//
// Every random number of dlbench is a pure function of (seed, stream, index): initial weights, data order,
// augmentation, stress inputs. So any part of a run can be repeated alone, in any order.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace dlbench::base {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

// Ten rounds; the published known answers are in the tests.
[[nodiscard]] PhiloxCounter philox4x32_10(PhiloxCounter counter, PhiloxKey key);

// What a stream is used for. Part of the reproducibility contract: values never change.
enum class Stream : std::uint64_t {
  initial_weights = 1,  // sub-stream = index of the parameter in graph order
  data_order = 2,       // sub-stream = epoch
  verification = 3,     // noise on verification batches; sub-stream = candidate
  block_order = 4,      // sub-stream = block
  environment_padding = 5,
  augmentation = 6,
  rounding = 7,  // sub-stream = evaluation of the rounding envelope
  dropout = 8,   // masks of the oracle, where it plays a framework; sub-stream = node and step
};

// A random-access sequence of numbers for one (seed, stream, sub-stream).
class Random {
 public:
  Random(std::uint64_t seed, Stream stream, std::uint64_t sub_stream = 0);

  [[nodiscard]] std::uint32_t bits(std::uint64_t index) const;
  // 24 random bits / 2^24: in [0, 1), every value exact in float.
  [[nodiscard]] float uniform(std::uint64_t index) const;
  // Uniform in [0, bound) without modulo bias beyond 2^-32 (multiply-shift on 64 bits); bound > 0.
  [[nodiscard]] std::uint64_t below(std::uint64_t index, std::uint64_t bound) const;
  // Standard normal by Box-Muller on two uniforms of this index, computed in double.
  [[nodiscard]] double normal(std::uint64_t index) const;
  // Fisher-Yates permutation of 0 … count-1.
  [[nodiscard]] std::vector<std::uint32_t> permutation(std::uint32_t count) const;

 private:
  PhiloxKey key_;
  std::uint32_t stream_low_;
  std::uint32_t stream_high_;
};

}  // namespace dlbench::base
