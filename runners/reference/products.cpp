#include "products.hpp"

#include <algorithm>

#include "onednn.hpp"

namespace reference {

void multiply(char transpose_a, char transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, float alpha,
              const float* a, std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c,
              std::int64_t ldc) {
  dnnl::error::wrap_c_api(static_cast<dnnl_status_t>(dnnl::sgemm(transpose_a, transpose_b, m, n, k, alpha, a,
                                                                 lda, b, ldb, beta, c, ldc)),
                          "a matrix product failed");
}

void add_rows(const float* __restrict matrix, float* __restrict sums, std::int64_t rows, std::int64_t width) {
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::int64_t i = 0; i < width; ++i) {
      sums[i] += matrix[r * width + i];
    }
  }
}

// Each thread has columns of its own, so the order of additions does not depend on their number.
void sum_columns(const float* __restrict matrix, float* __restrict sums, std::int64_t rows,
                 std::int64_t width) {
  constexpr std::int64_t block = 1024;
#pragma omp parallel for schedule(static) if (width > block)
  for (std::int64_t begin = 0; begin < width; begin += block) {
    const std::int64_t end = std::min(width, begin + block);
    std::fill(sums + begin, sums + end, 0.0F);
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t i = begin; i < end; ++i) {
        sums[i] += matrix[r * width + i];
      }
    }
  }
}

}  // namespace reference
