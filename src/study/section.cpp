#include "study/section.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/nearest.hpp"

namespace dlbench::study {
namespace {

constexpr std::size_t listed_max = 1000;

}  // namespace

Section::Section(const YAML::Node& node, std::string path, std::string name,
                 const std::vector<std::string>& known)
    : node_(node), path_(std::move(path)), name_(std::move(name)) {
  if (!node_.IsMap()) {
    fail(node_, fmt::format("{} must be a mapping (key: value)", name_));
  }
  std::set<std::string> seen;
  for (const auto& entry : node_) {
    const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : std::string{};
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      fail(entry.first, fmt::format("unknown key '{}' in {}", key, name_), base::nearest_hint(key, known));
    }
    if (!seen.insert(key).second) {
      fail(entry.first, fmt::format("key '{}' appears twice in {}", key, name_));
    }
  }
}

bool Section::has(const std::string& key) const {
  return static_cast<bool>(node_[key]);
}

YAML::Node Section::require(const std::string& key) const {
  const YAML::Node value = node_[key];
  if (!value) {
    fail(node_, fmt::format("{} lacks the key '{}'", name_, key));
  }
  return value;
}

std::string Section::text(const std::string& key, const std::optional<std::string>& fallback) const {
  if (!has(key) && fallback) {
    return *fallback;
  }
  const YAML::Node value = require(key);
  if (!value.IsScalar() || value.Scalar().empty()) {
    fail(value, fmt::format("'{}' must be a text", key));
  }
  return value.Scalar();
}

std::int64_t Section::integer(const std::string& key, std::int64_t low, std::int64_t high,
                              std::optional<std::int64_t> fallback) const {
  if (!has(key) && fallback) {
    return *fallback;
  }
  const YAML::Node value = require(key);
  std::int64_t number = 0;
  if (!value.IsScalar() || !YAML::convert<std::int64_t>::decode(value, number) || number < low ||
      number > high) {
    fail(value, fmt::format("'{}' must be a whole number from {} to {}", key, low, high));
  }
  return number;
}

double Section::real(const std::string& key, double low, double high, std::optional<double> fallback) const {
  if (!has(key) && fallback) {
    return *fallback;
  }
  const YAML::Node value = require(key);
  double number = 0.0;
  if (!value.IsScalar() || !YAML::convert<double>::decode(value, number) || !std::isfinite(number) ||
      number < low || number > high) {
    fail(value, fmt::format("'{}' must be a number from {} to {}", key, low, high));
  }
  return number;
}

std::int64_t Section::integer(const std::string& key) const {
  const YAML::Node value = require(key);
  std::int64_t number = 0;
  if (!value.IsScalar() || !YAML::convert<std::int64_t>::decode(value, number)) {
    fail(value, fmt::format("'{}' must be a whole number", key));
  }
  return number;
}

double Section::real(const std::string& key) const {
  const YAML::Node value = require(key);
  double number = 0.0;
  if (!value.IsScalar() || !YAML::convert<double>::decode(value, number) || !std::isfinite(number)) {
    fail(value, fmt::format("'{}' must be a number", key));
  }
  return number;
}

std::vector<std::int64_t> Section::integers(const std::string& key) const {
  const YAML::Node list = require(key);
  if (!list.IsSequence() || list.size() > listed_max) {
    fail(list, fmt::format("'{}' must be a list of at most {} whole numbers", key, listed_max));
  }
  std::vector<std::int64_t> numbers(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].IsScalar() || !YAML::convert<std::int64_t>::decode(list[i], numbers[i])) {
      fail(list[i], fmt::format("'{}' must be a list of whole numbers", key));
    }
  }
  return numbers;
}

bool Section::boolean(const std::string& key, bool fallback) const {
  if (!has(key)) {
    return fallback;
  }
  const YAML::Node value = require(key);
  bool result = false;
  if (!value.IsScalar() || !YAML::convert<bool>::decode(value, result)) {
    fail(value, fmt::format("'{}' must be true or false", key));
  }
  return result;
}

std::optional<Section> Section::section(const std::string& key, const std::vector<std::string>& known) const {
  if (!has(key)) {
    return std::nullopt;
  }
  return Section(node_[key], path_, fmt::format("'{}'", key), known);
}

std::string Section::where(const YAML::Node& at) const {
  const YAML::Mark mark = at.Mark();
  return mark.is_null() ? path_ : fmt::format("{}:{}", path_, mark.line + 1);
}

void Section::fail(const YAML::Node& at, const std::string& what, const std::string& hint) const {
  throw base::UserError(what, where(at), hint);
}

}  // namespace dlbench::study
