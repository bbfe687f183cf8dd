#include "gate/byte_stream.hpp"

#include <cstring>

#include "base/error.hpp"

namespace dlbench::gate {

std::size_t ByteReader::length(std::size_t item_bytes) {
  const auto count = number<std::uint64_t>();
  if (count > rest_.size() / item_bytes) {
    throw base::UserError("cached plan: a length is larger than the file");
  }
  return static_cast<std::size_t>(count);
}

void ByteReader::copy_to(void* target, std::size_t bytes) {
  if (bytes > rest_.size()) {
    throw base::UserError("cached plan: it ends too early");
  }
  if (bytes == 0) {
    return;  // memcpy must not see the null pointer of an empty vector
  }
  std::memcpy(target, rest_.data(), bytes);
  rest_.remove_prefix(bytes);
}

}  // namespace dlbench::gate
