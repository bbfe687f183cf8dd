#include "data/idx.hpp"

#include <fmt/format.h>

#include <utility>

#include "base/error.hpp"
#include "data/content.hpp"

namespace dlbench::data {
namespace {

constexpr std::uint8_t unsigned_byte = 0x08;
constexpr std::int64_t max_elements = std::int64_t{1} << 31U;
constexpr std::size_t max_rank = 4;

[[noreturn]] void refuse(const std::string& name, const std::string& problem) {
  throw base::UserError(fmt::format("{}: {}", name, problem), name);
}

// Magic: two zero bytes, the element type, the rank.
std::size_t read_rank(const Bytes& bytes, const std::string& name) {
  if (bytes.size() < 4) {
    refuse(name, fmt::format("{} bytes are too short for an IDX header", bytes.size()));
  }
  if (bytes[0] != 0 || bytes[1] != 0) {
    refuse(name,
           fmt::format("wrong magic number {:02x}{:02x}, an IDX file begins with 0000", bytes[0], bytes[1]));
  }
  if (bytes[2] != unsigned_byte) {
    refuse(name, fmt::format("element type 0x{:02x}, only unsigned bytes (0x08) are read", bytes[2]));
  }
  const std::size_t rank = bytes[3];
  if (rank < 1 || rank > max_rank) {
    refuse(name, fmt::format("{} dimensions, 1 to {} are accepted", rank, max_rank));
  }
  if (bytes.size() < 4 + 4 * rank) {
    refuse(name, fmt::format("{} bytes are too short for a header of {} dimensions", bytes.size(), rank));
  }
  return rank;
}

std::vector<std::int64_t> read_extents(const Bytes& bytes, std::size_t rank) {
  std::vector<std::int64_t> dims(rank);
  for (std::size_t d = 0; d < rank; ++d) {
    std::uint32_t extent = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      extent = (extent << 8U) | bytes[4 + 4 * d + i];
    }
    dims[d] = extent;
  }
  return dims;
}

std::int64_t count_elements(const std::vector<std::int64_t>& dims, const std::string& name) {
  std::int64_t product = 1;
  for (const std::int64_t extent : dims) {
    if (extent == 0) {
      refuse(name, "a dimension has no elements");
    }
    // Divided, not multiplied: the product of four 32-bit extents does not fit 64 bits.
    if (extent > max_elements / product) {
      refuse(name,
             fmt::format("extents {} have more than {} elements", fmt::join(dims, " x "), max_elements));
    }
    product *= extent;
  }
  return product;
}

}  // namespace

IdxArray parse_idx(Bytes bytes, const std::string& name) {
  const std::size_t rank = read_rank(bytes, name);
  IdxArray array;
  array.dims = read_extents(bytes, rank);
  const auto wanted = static_cast<std::size_t>(count_elements(array.dims, name));
  const std::size_t header = 4 + 4 * rank;
  const std::size_t present = bytes.size() - header;
  if (present != wanted) {
    refuse(name,
           fmt::format("{} bytes of data, extents {} need {}: {}", present, fmt::join(array.dims, " x "),
                       wanted, present < wanted ? "the file is too short" : "there are extra bytes"));
  }
  bytes.erase(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(header));
  array.values = std::move(bytes);
  return array;
}

IdxArray read_idx_file(const std::string& path) {
  return parse_idx(read_content(path, max_file_bytes), path);
}

}  // namespace dlbench::data
