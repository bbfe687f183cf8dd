// The bytes of a file that may be gzipped. Internal to data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dlbench::data {

using Bytes = std::vector<std::uint8_t>;

// No data set of this project comes near it.
inline constexpr std::size_t max_file_bytes = std::size_t{1} << 31U;

// Content of a regular file of at most `max_bytes`. Throws base::UserError naming it.
[[nodiscard]] Bytes read_bounded_file(const std::string& path, std::size_t max_bytes);

// True when the bytes from `begin` on start like a gzip member (RFC 1952).
[[nodiscard]] bool is_gzip(const Bytes& bytes, std::size_t begin = 0);

// Uncompresses all members (RFC 1952). Memory grows with what really arrives, never with what a header
// claims. Throws base::UserError: corrupt (checksums included), truncated, bytes after the last member, more
// than `max_bytes`.
[[nodiscard]] Bytes inflate_gzip(const Bytes& bytes, std::size_t max_bytes, const std::string& name);

// Both together: plain and gzipped files look the same to the caller.
[[nodiscard]] Bytes read_content(const std::string& path, std::size_t max_bytes);

}  // namespace dlbench::data
