#include "pool_kernels.hpp"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#define REFERENCE_AVX512 1
#include <immintrin.h>
#endif

namespace reference {

#ifdef REFERENCE_AVX512
// 16 channels at a time with a mask for the rest: compilers do not vectorise loops that mix floats and bytes
// this way, and 20 or 50 channels leave a large rest.
namespace {

constexpr std::int64_t lanes = 16;

__mmask16 lane_mask(std::int64_t left) {
  return left >= lanes ? static_cast<__mmask16>(0xFFFF)
                       : static_cast<__mmask16>((1U << static_cast<unsigned>(left)) - 1U);
}

__m512 won_gradient(const std::uint8_t* winners, const float* gradient, const float* relu, std::uint8_t id,
                    __mmask16 mask) {
  const __m128i winner = _mm_maskz_loadu_epi8(mask, winners);
  __mmask16 won = _mm_mask_cmpeq_epu8_mask(mask, winner, _mm_set1_epi8(static_cast<char>(id)));
  if (relu != nullptr) {
    won = _mm512_mask_cmp_ps_mask(won, _mm512_maskz_loadu_ps(mask, relu), _mm512_setzero_ps(), _CMP_GT_OQ);
  }
  return _mm512_maskz_loadu_ps(won, gradient);
}

}  // namespace

void max_of_cells(const float* const* cells, const std::uint8_t* ids, int count, std::int64_t channels,
                  float* values, std::uint8_t* winners) {
  for (std::int64_t c = 0; c < channels; c += lanes) {
    const __mmask16 mask = lane_mask(channels - c);
    __m512 best = _mm512_maskz_loadu_ps(mask, cells[0] + c);
    __m512i winner = _mm512_set1_epi32(ids[0]);
    for (int k = 1; k < count; ++k) {
      const __m512 value = _mm512_maskz_loadu_ps(mask, cells[k] + c);
      const __mmask16 larger = _mm512_cmp_ps_mask(value, best, _CMP_GT_OQ);
      best = _mm512_mask_mov_ps(best, larger, value);
      winner = _mm512_mask_mov_epi32(winner, larger, _mm512_set1_epi32(ids[k]));
    }
    _mm512_mask_storeu_ps(values + c, mask, best);
    _mm512_mask_cvtepi32_storeu_epi8(winners + c, mask, winner);
  }
}

void store_to_cell(const std::uint8_t* winners, const float* gradient, const float* relu, std::uint8_t id,
                   std::int64_t channels, float* cell) {
  for (std::int64_t c = 0; c < channels; c += lanes) {
    const __mmask16 mask = lane_mask(channels - c);
    const float* relu_here = relu == nullptr ? nullptr : relu + c;
    _mm512_mask_storeu_ps(cell + c, mask, won_gradient(winners + c, gradient + c, relu_here, id, mask));
  }
}

void add_to_cell(const std::uint8_t* winners, const float* gradient, const float* relu, std::uint8_t id,
                 std::int64_t channels, float* cell) {
  for (std::int64_t c = 0; c < channels; c += lanes) {
    const __mmask16 mask = lane_mask(channels - c);
    const float* relu_here = relu == nullptr ? nullptr : relu + c;
    const __m512 more = won_gradient(winners + c, gradient + c, relu_here, id, mask);
    _mm512_mask_storeu_ps(cell + c, mask, _mm512_add_ps(_mm512_maskz_loadu_ps(mask, cell + c), more));
  }
}

#else

void max_of_cells(const float* const* cells, const std::uint8_t* ids, int count, std::int64_t channels,
                  float* values, std::uint8_t* winners) {
  for (std::int64_t c = 0; c < channels; ++c) {
    float best = cells[0][c];
    std::uint8_t winner = ids[0];
    for (int k = 1; k < count; ++k) {
      const bool larger = cells[k][c] > best;
      best = larger ? cells[k][c] : best;
      winner = larger ? ids[k] : winner;
    }
    values[c] = best;
    winners[c] = winner;
  }
}

void store_to_cell(const std::uint8_t* winners, const float* gradient, const float* relu, std::uint8_t id,
                   std::int64_t channels, float* cell) {
  for (std::int64_t c = 0; c < channels; ++c) {
    cell[c] = winners[c] == id && (relu == nullptr || relu[c] > 0.0F) ? gradient[c] : 0.0F;
  }
}

void add_to_cell(const std::uint8_t* winners, const float* gradient, const float* relu, std::uint8_t id,
                 std::int64_t channels, float* cell) {
  for (std::int64_t c = 0; c < channels; ++c) {
    cell[c] += winners[c] == id && (relu == nullptr || relu[c] > 0.0F) ? gradient[c] : 0.0F;
  }
}

#endif

}  // namespace reference
