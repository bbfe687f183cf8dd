#include "frameworks/manifest_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "frameworks/placeholders.hpp"

namespace dlbench::frameworks {

void ManifestReader::fail(const YAML::Node& node, const std::string& what, const std::string& hint) const {
  const int line = node.Mark().line;
  throw base::UserError(what, line >= 0 ? fmt::format("{}:{}", path_, line + 1) : path_, hint);
}

void ManifestReader::check_keys(const YAML::Node& map, const std::vector<std::string>& known) const {
  if (!map.IsMap()) {
    fail(map, "expected 'key: value' lines");
  }
  std::set<std::string> seen;
  for (const auto& entry : map) {
    const std::string key = text(entry.first);
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      fail(entry.first, fmt::format("unknown key '{}'", key), base::nearest_hint(key, known));
    }
    if (!seen.insert(key).second) {
      fail(entry.first, fmt::format("key '{}' appears twice", key));
    }
  }
}

YAML::Node ManifestReader::require(const YAML::Node& map, const char* key) const {
  const YAML::Node node = map[key];
  if (!node) {
    fail(map, fmt::format("'{}' is missing", key));
  }
  return node;
}

std::string ManifestReader::text(const YAML::Node& node) const {
  if (!node.IsScalar() || node.Scalar().empty()) {
    fail(node, "expected a text");
  }
  const std::string& value = node.Scalar();
  if (std::any_of(value.begin(), value.end(), [](unsigned char c) { return c < 0x20U; })) {
    fail(node, "a text must not contain control characters");
  }
  return value;
}

std::vector<std::string> ManifestReader::texts(const YAML::Node& node) const {
  if (!node.IsSequence()) {
    fail(node, "expected a list");
  }
  std::vector<std::string> values;
  for (const YAML::Node& entry : node) {
    values.push_back(text(entry));
  }
  return values;
}

bool ManifestReader::flag(const YAML::Node& node) const {
  const std::string value = text(node);
  if (value != "true" && value != "false") {
    fail(node, fmt::format("'{}' is neither true nor false", value));
  }
  return value == "true";
}

void ManifestReader::check_placeholders(const YAML::Node& node, const std::string& value,
                                        const std::vector<std::string>& known) const {
  if (const auto unknown = unknown_placeholder(value, known)) {
    fail(node, fmt::format("unknown placeholder '{{{}}}'", *unknown), base::nearest_hint(*unknown, known));
  }
}

}  // namespace dlbench::frameworks
