// Which texts of a manifest may become parts of paths and commands.
#pragma once

#include <string_view>

namespace dlbench::frameworks {

[[nodiscard]] bool is_framework_name(std::string_view text);   // [a-z0-9][a-z0-9_-]*, at most 63
[[nodiscard]] bool is_version_name(std::string_view text);     // [A-Za-z0-9][A-Za-z0-9.+_-]*, at most 63
[[nodiscard]] bool is_plain_file_name(std::string_view text);  // no folder, not hidden
[[nodiscard]] bool is_package_name(std::string_view text);     // Debian policy 5.6.1
[[nodiscard]] bool is_variable_name(std::string_view text);    // [A-Za-z_][A-Za-z0-9_]*

}  // namespace dlbench::frameworks
