// The bytes of a file that may be gzipped. Internal to data.
#pragma once

#include <cstddef>
#include <string>

namespace dlbench::data {

// No data set of this project comes near it.
inline constexpr std::size_t max_file_bytes = std::size_t{1} << 31U;

// Content of a regular file of at most `max_bytes`. Throws base::UserError naming it.
[[nodiscard]] std::string read_bounded_file(const std::string& path, std::size_t max_bytes);

// True when the bytes begin like a gzip member (RFC 1952).
[[nodiscard]] bool is_gzip(const std::string& bytes);

// Uncompresses all members (RFC 1952). Memory grows with what really arrives, never with what a header
// claims. Throws base::UserError: corrupt (checksums included), truncated, bytes after the last member, more
// than `max_bytes`.
[[nodiscard]] std::string inflate_gzip(const std::string& bytes, std::size_t max_bytes,
                                       const std::string& name);

// Both together: plain and gzipped files look the same to the caller.
[[nodiscard]] std::string read_content(const std::string& path, std::size_t max_bytes);

}  // namespace dlbench::data
