#include "report/parsed_json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/format.hpp"
#include "report/json_value.hpp"

namespace dlbench::report {
namespace {

constexpr std::size_t max_bytes = 4U << 20U;
constexpr int max_nesting = 32;

std::string scalar_text(const Json& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  return value.is_null() ? no_value : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string array_text(const Json& array) {
  if (std::any_of(array.begin(), array.end(), [](const Json& one) { return one.is_structured(); })) {
    return fmt::format("{} entries", array.size());
  }
  std::string out;
  for (const Json& one : array) {
    out += (out.empty() ? "" : " ") + scalar_text(one);
  }
  return out;
}

void flatten(const Json& object, const std::string& prefix,
             std::vector<std::pair<std::string, std::string>>& out) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_object()) {
      flatten(value, prefix + key + ".", out);
    } else {
      out.emplace_back(prefix + key, value.is_array() ? array_text(value) : scalar_text(value));
    }
  }
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t position = 0; position < text.size();) {
    append_utf8(out, next_code_point(text, position));
  }
  return out;
}

std::optional<Json> parse_limited(std::string_view text) {
  if (text.size() > max_bytes) {
    return std::nullopt;
  }
  bool too_deep = false;
  const auto watch = [&too_deep](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > max_nesting;
    return !too_deep;
  };
  Json document = Json::parse(valid_utf8(text), watch, false);
  if (too_deep || document.is_discarded()) {
    return std::nullopt;
  }
  return document;
}

std::optional<std::vector<std::pair<std::string, std::string>>> flatten_json(std::string_view text) {
  const std::optional<Json> document = parse_limited(text);
  if (!document || !document->is_object()) {
    return std::nullopt;
  }
  std::vector<std::pair<std::string, std::string>> out;
  flatten(*document, "", out);
  return out;
}

}  // namespace dlbench::report
