#include "frameworks/version_range.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace dlbench::frameworks {

namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::optional<Bound> parse_bound(std::string_view text) {
  text = trimmed(text);
  // Two characters first: ">" is a prefix of ">=".
  for (const std::string_view relation : {">=", "<=", "==", ">", "<"}) {
    if (text.starts_with(relation)) {
      const auto version = parse_version(trimmed(text.substr(relation.size())));
      return version ? std::optional(Bound{std::string(relation), *version}) : std::nullopt;
    }
  }
  return std::nullopt;
}

bool holds(const Bound& bound, const Version& version) {
  const int order = compare(version, bound.version);
  if (bound.relation == ">=") {
    return order >= 0;
  }
  if (bound.relation == "<=") {
    return order <= 0;
  }
  if (bound.relation == ">") {
    return order > 0;
  }
  return bound.relation == "<" ? order < 0 : order == 0;
}

}  // namespace

std::optional<Version> parse_version(std::string_view text) {
  Version version;
  const char* at = text.data();
  const char* end = text.data() + text.size();
  while (true) {
    int part = 0;
    const auto [next, error] = std::from_chars(at, end, part);
    if (error != std::errc() || part < 0 || *at == '-') {
      return std::nullopt;
    }
    version.push_back(part);
    if (next == end) {
      return version;
    }
    if (*next != '.') {
      return std::nullopt;
    }
    at = next + 1;
  }
}

int compare(const Version& a, const Version& b) {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const int left = i < a.size() ? a[i] : 0;
    const int right = i < b.size() ? b[i] : 0;
    if (left != right) {
      return left < right ? -1 : 1;
    }
  }
  return 0;
}

std::optional<std::vector<Bound>> parse_range(std::string_view text) {
  std::vector<Bound> range;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const auto bound = parse_bound(text.substr(at, comma - at));
    if (!bound) {
      return std::nullopt;
    }
    range.push_back(*bound);
    at = comma + 1;
  }
  return range;
}

bool contains(const std::vector<Bound>& range, const Version& version) {
  return std::all_of(range.begin(), range.end(), [&](const Bound& bound) { return holds(bound, version); });
}

}  // namespace dlbench::frameworks
