// The IDX format of the MNIST family (LeCun): big-endian header, unsigned bytes, optionally gzipped.
// Untrusted input.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dlbench::data {

struct IdxArray {
  std::vector<std::int64_t> dims;
  std::vector<std::uint8_t> values;
};

// `bytes`: uncompressed content, which becomes the values without a second copy. `name` is for messages.
// Checks magic, element type (0x08 only), rank (1 to 4), that no extent is 0, that the product of extents is
// at most 2^31, and that the length is exactly right. Throws base::UserError.
[[nodiscard]] IdxArray parse_idx(std::vector<std::uint8_t> bytes, const std::string& name);
// Reads a plain or gzipped file, at most 2^31 bytes uncompressed.
[[nodiscard]] IdxArray read_idx_file(const std::string& path);

}  // namespace dlbench::data
