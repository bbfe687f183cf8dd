#include "oracle/products.hpp"

#include <cblas.h>

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/error.hpp"
#include "base/philox.hpp"

namespace dlbench::oracle {
namespace {

// Above this many multiply-adds the plain loops would dominate the cost of the rounding envelope.
constexpr std::int64_t largest_loop_product = std::int64_t{1} << 22;
constexpr std::uint64_t largest_part_count = 8;
// Seeds of the random sequences; inner dimensions use their own extent (>= 1) and stay far below the second.
constexpr std::uint64_t parts_seed = 0;
constexpr std::uint64_t perturbation_seed = std::uint64_t{1} << 32U;

template <typename T>
struct Operands {
  MatrixView<T> a;  // leading extents are those stored, so a part of a larger matrix is a view too
  MatrixView<T> b;
  std::int64_t a_stride;
  std::int64_t b_stride;
};

int blas_extent(std::int64_t value) {
  DLBENCH_ASSERT(value >= 0 && value <= std::numeric_limits<int>::max(), "matrix too large for this BLAS");
  return static_cast<int>(value);
}

template <typename T>
void multiply_blas(const Operands<T>& in, T* c, T beta) {
  const auto transpose = [](bool transposed) { return transposed ? CblasTrans : CblasNoTrans; };
  const int m = blas_extent(in.a.height());
  const int n = blas_extent(in.b.width());
  const int k = blas_extent(in.a.width());
  const int lda = blas_extent(in.a_stride);
  const int ldb = blas_extent(in.b_stride);
  if constexpr (std::is_same_v<T, double>) {
    cblas_dgemm(CblasRowMajor, transpose(in.a.transposed), transpose(in.b.transposed), m, n, k, 1.0,
                in.a.values, lda, in.b.values, ldb, beta, c, n);
  } else {
    cblas_sgemm(CblasRowMajor, transpose(in.a.transposed), transpose(in.b.transposed), m, n, k, 1.0F,
                in.a.values, lda, in.b.values, ldb, beta, c, n);
  }
}

// Both operands stored as read; c starts at zero. The innermost loop runs over columns of c, so it vectorises
// and every element is still summed one product after the other.
template <typename T, bool Fused>
void multiply_loop(const Operands<T>& in, T* c) {
  const std::int64_t n = in.b.columns;
  for (std::int64_t i = 0; i < in.a.rows; ++i) {
    T* const row = c + i * n;
    for (std::int64_t k = 0; k < in.a.columns; ++k) {
      const T factor = in.a.values[i * in.a_stride + k];
      const T* const other = in.b.values + k * in.b_stride;
      for (std::int64_t j = 0; j < n; ++j) {
        if constexpr (Fused) {
          row[j] = std::fma(factor, other[j], row[j]);
        } else {
          row[j] += factor * other[j];
        }
      }
    }
  }
}

// The matrix as a product reads it, its columns (rows when `by_rows`) in the given order.
template <typename T>
std::vector<T> reordered(MatrixView<T> matrix, const std::vector<std::uint32_t>& order, bool by_rows) {
  const std::int64_t height = matrix.height();
  const std::int64_t width = matrix.width();
  const std::int64_t row_stride = matrix.transposed ? 1 : matrix.columns;
  const std::int64_t column_stride = matrix.transposed ? matrix.columns : 1;
  std::vector<T> result(index_of(height * width));
  for (std::int64_t i = 0; i < height; ++i) {
    const std::int64_t row = by_rows ? order[index_of(i)] : i;
    for (std::int64_t j = 0; j < width; ++j) {
      const std::int64_t column = by_rows ? j : order[index_of(j)];
      result[index_of(i * width + j)] = matrix.values[row * row_stride + column * column_stride];
    }
  }
  return result;
}

// The next float upwards or downwards, as std::nextafter but several times faster, which matters for every
// weight of every step: the bits of floats of one sign are in their order. Zero and what is not finite stay.
float neighbour(float value, bool upwards) {
  if (value == 0.0F || !std::isfinite(value)) {
    return value;
  }
  const std::uint32_t step = upwards == (value > 0.0F) ? 1U : ~0U;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) + step);
}

// No variation reaches double.
double neighbour(double value, bool /*upwards*/) {
  return value;
}

}  // namespace

template <typename T>
Products<T>::Products(std::uint64_t variation) : variation_(std::is_same_v<T, float> ? variation : 0) {
  DLBENCH_ASSERT(variation <= std::numeric_limits<std::uint32_t>::max(), "rounding variation needs 32 bits");
}

template <typename T>
void Products<T>::multiply(MatrixView<T> a, MatrixView<T> b, T* c, Store store) {
  DLBENCH_ASSERT(a.width() == b.height(), "inner dimensions of a matrix product differ");
  const std::int64_t size = a.height() * b.width();
  if (size == 0) {
    return;
  }
  if (store == Store::overwrite) {
    std::fill(c, c + size, T{0});
  }
  if (a.width() == 0) {
    return;
  }
  if (variation_ == 0) {
    multiply_blas<T>({a, b, a.columns, b.columns}, c, T{1});
  } else {
    multiply_varied(a, b, c);
  }
}

template <typename T>
void Products<T>::multiply_varied(MatrixView<T> a, MatrixView<T> b, T* c) {
  const std::int64_t m = a.height();
  const std::int64_t n = b.width();
  const std::int64_t inner = a.width();
  const Split& split = split_of(inner);
  const std::vector<T> left = reordered(a, split.order, false);
  const std::vector<T> right = reordered(b, split.order, true);
  const bool loops = m * n * inner <= largest_loop_product;
  const Kernel kernel = !loops || variation_ % 4 == 0 || variation_ % 4 == 3 ? Kernel::blas
                        : variation_ % 4 == 1                                ? Kernel::loop_fma
                                                                             : Kernel::loop_plain;
  std::vector<T> partial(index_of(m * n));
  for (std::int64_t part = 0; part < split.parts; ++part) {
    const std::int64_t begin = inner * part / split.parts;
    const std::int64_t end = inner * (part + 1) / split.parts;
    const Operands<T> operands{{left.data() + begin, m, end - begin, false},
                               {right.data() + begin * n, end - begin, n, false},
                               inner,
                               n};
    std::fill(partial.begin(), partial.end(), T{0});
    switch (kernel) {
      case Kernel::blas:
        multiply_blas(operands, partial.data(), T{0});
        break;
      case Kernel::loop_fma:
        multiply_loop<T, true>(operands, partial.data());
        break;
      case Kernel::loop_plain:
        multiply_loop<T, false>(operands, partial.data());
        break;
    }
    for (std::size_t i = 0; i < partial.size(); ++i) {
      c[i] += partial[i];
    }
  }
}

template <typename T>
const typename Products<T>::Split& Products<T>::split_of(std::int64_t inner) {
  const auto [place, inserted] = splits_.try_emplace(inner);
  if (inserted) {
    DLBENCH_ASSERT(inner <= std::numeric_limits<std::uint32_t>::max(), "inner dimension needs 32 bits");
    const auto extent = static_cast<std::uint64_t>(inner);
    place->second.order = base::Random(extent, base::Stream::rounding, variation_)
                              .permutation(static_cast<std::uint32_t>(inner));
    const std::uint64_t parts =
        1 + base::Random(parts_seed, base::Stream::rounding, variation_).below(extent, largest_part_count);
    place->second.parts = std::min(inner, static_cast<std::int64_t>(parts));
  }
  return place->second;
}

template <typename T>
void Products<T>::column_sums(const T* matrix, std::int64_t rows, std::int64_t columns, T* sums,
                              Store store) {
  const std::vector<T> ones(index_of(rows), T{1});
  multiply({ones.data(), 1, rows, false}, {matrix, rows, columns, false}, sums, store);
}

template <typename T>
void Products<T>::perturb(Array<T>& array) {
  if (variation_ == 0) {
    return;
  }
  const base::Random random(perturbation_seed, base::Stream::rounding, variation_);
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    // Two random bits for each value, sixteen values for each word. Zero stays: its neighbours are denormal.
    bits = i % 16 == 0 ? random.bits(perturbed_count_++) : bits >> 2U;
    T& value = array.values[i];
    if ((bits & 2U) == 0) {
      value = neighbour(value, (bits & 1U) != 0);
    }
  }
}

template class Products<double>;
template class Products<float>;

}  // namespace dlbench::oracle
