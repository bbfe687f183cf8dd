#include "buffer.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace reference {

namespace {
constexpr std::size_t huge_page_bytes = std::size_t{2} << 20U;
constexpr std::size_t line_bytes = 64;
}  // namespace

Buffer::Buffer(std::size_t count) {
  const bool is_big = count * sizeof(float) >= huge_page_bytes;
  const std::size_t unit = is_big ? huge_page_bytes : line_bytes;
  const std::size_t bytes = (count * sizeof(float) + unit) / unit * unit;
  owned_.reset(std::aligned_alloc(unit, bytes));
  if (owned_ == nullptr) {
    throw std::bad_alloc();
  }
  if (is_big) {
    // Only advice: fewer address translations where the kernel has such pages.
    (void)madvise(owned_.get(), bytes, MADV_HUGEPAGE);
  }
  std::memset(owned_.get(), 0, bytes);
  data_ = static_cast<float*>(owned_.get());
}

void Buffer::Free::operator()(void* memory) const {
  std::free(memory);
}

}  // namespace reference
