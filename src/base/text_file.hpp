// Whole small files, with a size limit because most of them are untrusted input.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dlbench::base {

// Throws UserError when the file is missing, unreadable or larger than `max_bytes`.
[[nodiscard]] std::string read_text_file(const std::string& path, std::size_t max_bytes);

// Writes to a temporary file beside `path`, then renames: a reader sees the old or the new content, never
// half.
void write_text_file(const std::string& path, std::string_view content);

}  // namespace dlbench::base
