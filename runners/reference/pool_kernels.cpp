#include "pool_kernels.hpp"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#define REFERENCE_AVX512 1
#include <immintrin.h>
#endif

namespace reference {
namespace {

#ifdef REFERENCE_AVX512

// 16 channels at a time with a mask for the rest: compilers do not vectorise loops that mix floats and bytes
// this way, and 20 or 50 channels leave a large rest.
constexpr std::int64_t lanes = 16;

__mmask16 lane_mask(std::int64_t left) {
  return left >= lanes ? static_cast<__mmask16>(0xFFFF)
                       : static_cast<__mmask16>((1U << static_cast<unsigned>(left)) - 1U);
}

void pool_window(const Window& window, std::int64_t channels, const float* x, float* y,
                 std::uint8_t* winners) {
  for (std::int64_t c = 0; c < channels; c += lanes) {
    const __mmask16 mask = lane_mask(channels - c);
    __m512 best = _mm512_maskz_loadu_ps(mask, x + window.offsets[0] + c);
    __m512i winner = _mm512_set1_epi32(window.ids[0]);
    for (std::size_t k = 1; k < static_cast<std::size_t>(window.count); ++k) {
      const __m512 value = _mm512_maskz_loadu_ps(mask, x + window.offsets[k] + c);
      const __mmask16 larger = _mm512_cmp_ps_mask(value, best, _CMP_GT_OQ);
      best = _mm512_mask_mov_ps(best, larger, value);
      winner = _mm512_mask_mov_epi32(winner, larger, _mm512_set1_epi32(window.ids[k]));
    }
    _mm512_mask_storeu_ps(y + c, mask, best);
    _mm512_mask_cvtepi32_storeu_epi8(winners + c, mask, winner);
  }
}

template <bool adds>
void unpool_window(const Window& window, std::int64_t channels, const float* dy, const float* relu,
                   const std::uint8_t* winners, float* dx) {
  for (std::int64_t c = 0; c < channels; c += lanes) {
    const __mmask16 mask = lane_mask(channels - c);
    __mmask16 counts = mask;
    if (relu != nullptr) {
      counts = _mm512_mask_cmp_ps_mask(mask, _mm512_maskz_loadu_ps(mask, relu + c), _mm512_setzero_ps(),
                                       _CMP_GT_OQ);
    }
    const __m512 gradient = _mm512_maskz_loadu_ps(counts, dy + c);
    const __m128i winner = _mm_maskz_loadu_epi8(mask, winners + c);
    for (std::size_t k = 0; k < static_cast<std::size_t>(window.count); ++k) {
      const __mmask16 won = _mm_cmpeq_epu8_mask(winner, _mm_set1_epi8(static_cast<char>(window.ids[k])));
      float* cell = dx + window.offsets[k] + c;
      __m512 share = _mm512_maskz_mov_ps(won, gradient);
      if constexpr (adds) {
        share = _mm512_add_ps(share, _mm512_maskz_loadu_ps(mask, cell));
      }
      _mm512_mask_storeu_ps(cell, mask, share);
    }
  }
}

#else

void pool_window(const Window& window, std::int64_t channels, const float* x, float* y,
                 std::uint8_t* winners) {
  for (std::int64_t c = 0; c < channels; ++c) {
    float best = x[window.offsets[0] + c];
    std::uint8_t winner = window.ids[0];
    for (std::size_t k = 1; k < static_cast<std::size_t>(window.count); ++k) {
      const float value = x[window.offsets[k] + c];
      winner = value > best ? window.ids[k] : winner;
      best = value > best ? value : best;
    }
    y[c] = best;
    winners[c] = winner;
  }
}

template <bool adds>
void unpool_window(const Window& window, std::int64_t channels, const float* dy, const float* relu,
                   const std::uint8_t* winners, float* dx) {
  for (std::size_t k = 0; k < static_cast<std::size_t>(window.count); ++k) {
    float* cell = dx + window.offsets[k];
    for (std::int64_t c = 0; c < channels; ++c) {
      const bool won = winners[c] == window.ids[k] && (relu == nullptr || relu[c] > 0.0F);
      cell[c] = (won ? dy[c] : 0.0F) + (adds ? cell[c] : 0.0F);
    }
  }
}

#endif

}  // namespace

void pool_picture(const std::vector<Window>& windows, std::int64_t channels, const float* x, float* y,
                  std::uint8_t* winners) {
  std::int64_t out = 0;
  for (const Window& window : windows) {
    pool_window(window, channels, x, y + out, winners + out);
    out += channels;
  }
}

void unpool_picture(const std::vector<Window>& windows, std::int64_t channels, bool tiles, const float* dy,
                    const float* relu, const std::uint8_t* winners, float* dx) {
  std::int64_t out = 0;
  for (const Window& window : windows) {
    const float* relu_here = relu == nullptr ? nullptr : relu + out;
    if (tiles) {
      unpool_window<false>(window, channels, dy + out, relu_here, winners + out, dx);
    } else {
      unpool_window<true>(window, channels, dy + out, relu_here, winners + out, dx);
    }
    out += channels;
  }
}

}  // namespace reference
