// Row-major matrix arithmetic that dense and convolution share.
#pragma once

#include <cstdint>

namespace reference {

// C <- alpha * op(A) op(B) + beta * C by oneDNN; inside a parallel region it runs on the calling thread
// alone.
void multiply(char transpose_a, char transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, float alpha,
              const float* a, std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c,
              std::int64_t ldc);

// Sums of the columns of `matrix` [rows, width], those of wide matrices by several threads.
void sum_columns(const float* matrix, float* sums, std::int64_t rows, std::int64_t width);

// Adds each row of `matrix` [rows, width] to `sums`.
void add_rows(const float* matrix, float* sums, std::int64_t rows, std::int64_t width);

}  // namespace reference
