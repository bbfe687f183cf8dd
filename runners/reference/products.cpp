#include "products.hpp"

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

}  // namespace reference
