// Private to src/report: JSON building blocks of the export and of the charts.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "report/text.hpp"

namespace dlbench::report {

using Json = nlohmann::ordered_json;

// NaN and infinity are not JSON: they become null.
inline Json json_number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}
inline Json json_number(const std::optional<double>& value) {
  return value ? json_number(*value) : Json(nullptr);
}

// Strings keep their control characters (the writer escapes them); invalid UTF-8 becomes U+FFFD.
[[nodiscard]] std::string valid_utf8(std::string_view text);

// The document, or nullopt when it is not JSON or exceeds the limits of flatten_json.
[[nodiscard]] std::optional<Json> parse_limited(std::string_view text);

}  // namespace dlbench::report
