#include "gate/byte_stream.hpp"

#include "base/error.hpp"

namespace dlbench::gate {

std::size_t ByteReader::length(std::size_t item_bytes) {
  const auto count = number<std::uint64_t>();
  if (count > rest_.size() / item_bytes) {
    throw base::UserError("cached plan: a length is larger than the file");
  }
  return static_cast<std::size_t>(count);
}

std::string_view ByteReader::take(std::size_t bytes) {
  if (bytes > rest_.size()) {
    throw base::UserError("cached plan: it ends too early");
  }
  const std::string_view taken = rest_.substr(0, bytes);
  rest_.remove_prefix(bytes);
  return taken;
}

}  // namespace dlbench::gate
