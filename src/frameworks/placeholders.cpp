#include "frameworks/placeholders.hpp"

#include <algorithm>
#include <cstddef>

namespace dlbench::frameworks {

namespace {

struct Found {
  std::size_t begin;
  std::size_t end;  // behind "}", or the end of the text when it is missing
  std::string name;
};

std::optional<Found> next_placeholder(const std::string& text, std::size_t from) {
  const std::size_t begin = text.find('{', from);
  if (begin == std::string::npos) {
    return std::nullopt;
  }
  const std::size_t end = text.find('}', begin);
  if (end == std::string::npos) {
    return Found{begin, text.size(), text.substr(begin + 1)};
  }
  return Found{begin, end + 1, text.substr(begin + 1, end - begin - 1)};
}

}  // namespace

std::string expand(const std::string& text, const Placeholders& values) {
  std::string result;
  std::size_t at = 0;
  while (const auto found = next_placeholder(text, at)) {
    result.append(text, at, found->begin - at);
    const auto value = values.find(found->name);
    result += value != values.end() ? value->second : text.substr(found->begin, found->end - found->begin);
    at = found->end;
  }
  return result.append(text, at);
}

std::optional<std::string> unknown_placeholder(const std::string& text,
                                               const std::vector<std::string>& known) {
  std::size_t at = 0;
  while (const auto found = next_placeholder(text, at)) {
    const bool is_closed = text[found->end - 1] == '}';
    if (!is_closed || std::find(known.begin(), known.end(), found->name) == known.end()) {
      return found->name;
    }
    at = found->end;
  }
  return std::nullopt;
}

}  // namespace dlbench::frameworks
