#include "model/setting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/nearest.hpp"

namespace dlbench::model {
namespace {

bool is_inside(const Range& range, double value) {
  const bool above = range.with_low ? value >= range.low : value > range.low;
  const bool below = range.with_high ? value <= range.high : value < range.high;
  return std::isfinite(value) && above && below;
}

std::string text_of(const Range& range) {
  std::string text = fmt::format("must be {} {}", range.with_low ? "at least" : "greater than", range.low);
  if (std::isinf(range.high)) {
    return text + " and finite";
  }
  fmt::format_to(std::back_inserter(text), " and {} {}", range.with_high ? "at most" : "below", range.high);
  return text;
}

std::optional<std::string> problem_with_list(const Range& range, const std::vector<std::int64_t>& values) {
  if (values.empty()) {
    return "must hold at least one number";
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!is_inside(range, static_cast<double>(values[i]))) {
      return text_of(range);
    }
    if (i > 0 && values[i] <= values[i - 1]) {
      return "must grow from number to number";
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> problem_with(const SettingRule& rule, const Attribute& value) {
  DLBENCH_ASSERT(static_cast<AttributeKind>(value.index()) == rule.kind, rule.name);
  switch (rule.kind) {
    case AttributeKind::flag:
      return std::nullopt;
    case AttributeKind::integer:
    case AttributeKind::real: {
      const double number = rule.kind == AttributeKind::real
                                ? std::get<double>(value)
                                : static_cast<double>(std::get<std::int64_t>(value));
      return is_inside(rule.range, number) ? std::nullopt : std::optional(text_of(rule.range));
    }
    case AttributeKind::integers:
      return problem_with_list(rule.range, std::get<std::vector<std::int64_t>>(value));
    case AttributeKind::text: {
      const std::string& name = std::get<std::string>(value);
      if (std::ranges::find(rule.choices, name) != rule.choices.end()) {
        return std::nullopt;
      }
      return fmt::format("'{}' is unknown; {}", name, base::nearest_hint(name, rule.choices));
    }
  }
  base::fail_assertion("known kind", __FILE__, __LINE__, rule.name);
}

std::string to_text(const Attribute& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::vector<std::int64_t>>) {
          return fmt::format("[{}]", fmt::join(v, ", "));
        } else {
          return fmt::format("{}", v);
        }
      },
      value);
}

}  // namespace dlbench::model
