#include "frameworks/names.hpp"

#include <algorithm>
#include <cstddef>

namespace dlbench::frameworks {

namespace {

constexpr std::size_t max_name = 63;

// Not <cctype>: its answers depend on the locale.
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return is_lower(c) || (c >= 'A' && c <= 'Z');
}

template <class First, class Rest>
bool matches(std::string_view text, First first, Rest rest) {
  return !text.empty() && text.size() <= max_name && first(text.front()) &&
         std::all_of(text.begin() + 1, text.end(), rest);
}

}  // namespace

bool is_framework_name(std::string_view text) {
  const auto first = [](char c) { return is_lower(c) || is_digit(c); };
  return matches(text, first, [&](char c) { return first(c) || c == '_' || c == '-'; });
}

bool is_version_name(std::string_view text) {
  // What lies beside a version's folder has such names (folder.hpp).
  return is_plain_file_name(text) && !text.ends_with(".lock") && !text.ends_with(".why_not");
}

bool is_plain_file_name(std::string_view text) {
  const auto first = [](char c) { return is_letter(c) || is_digit(c); };
  return matches(text, first,
                 [&](char c) { return first(c) || c == '.' || c == '+' || c == '_' || c == '-'; });
}

bool is_package_name(std::string_view text) {
  const auto first = [](char c) { return is_lower(c) || is_digit(c); };
  return text.size() >= 2 &&
         matches(text, first, [&](char c) { return first(c) || c == '+' || c == '-' || c == '.'; });
}

bool is_variable_name(std::string_view text) {
  const auto first = [](char c) { return is_letter(c) || c == '_'; };
  return matches(text, first, [&](char c) { return first(c) || is_digit(c); });
}

}  // namespace dlbench::frameworks
