// Content hashes: identity of models, data, certificates. Not for security.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dlbench::base {

// 128-bit XXH3 as 32 lower-case hex digits.
[[nodiscard]] std::string hash_hex(std::string_view bytes);
[[nodiscard]] std::string hash_hex(const void* data, std::size_t bytes);

// Hash of a file's content; throws UserError when it cannot be read.
[[nodiscard]] std::string hash_file(const std::string& path);

}  // namespace dlbench::base
