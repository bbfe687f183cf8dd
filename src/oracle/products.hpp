// Matrix products and long sums, the only places where the order of additions matters: every operator sums
// through here, so that a rounding variation reaches all of them.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "oracle/array.hpp"

namespace dlbench::oracle {

// A row-major matrix of `rows` × `columns` as stored; `transposed` says how a product reads it.
template <typename T>
struct MatrixView {
  const T* values = nullptr;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  bool transposed = false;

  [[nodiscard]] std::int64_t height() const { return transposed ? columns : rows; }
  [[nodiscard]] std::int64_t width() const { return transposed ? rows : columns; }
};

enum class Store { overwrite, add };

// One rounding variation of one evaluation or training run. A pure function of (variation, sequence of calls,
// BLAS).
template <typename T>
class Products {
 public:
  // variation 0: plain BLAS calls. Others only matter in single precision; double ignores them.
  // Asserts that the variation fits 32 bits (the width of a random sub-stream).
  explicit Products(std::uint64_t variation);

  // c (a.height() × b.width(), row-major) = or += a · b.
  void multiply(MatrixView<T> a, MatrixView<T> b, T* c, Store store = Store::overwrite);

  // sums[j] = or += sum over the rows of column j.
  void column_sums(const T* matrix, std::int64_t rows, std::int64_t columns, T* sums,
                   Store store = Store::overwrite);

  // Moves each non-zero value by one ulp down, one ulp up, or (half of them) not at all; each call
  // differently. Variation 0 and double precision: nothing.
  void perturb(Array<T>& array);

 private:
  enum class Kernel { blas, loop_fma, loop_plain };
  struct Split {
    std::vector<std::uint32_t> order;  // in which the inner dimension is summed
    std::int64_t parts = 1;            // partial sums
  };

  [[nodiscard]] const Split& split_of(std::int64_t inner);
  void multiply_varied(MatrixView<T> a, MatrixView<T> b, T* c);

  std::uint64_t variation_;
  std::uint64_t perturbed_count_ = 0;
  std::map<std::int64_t, Split>
      splits_;  // by inner dimension: a training run asks for the same few again and again
};

}  // namespace dlbench::oracle
