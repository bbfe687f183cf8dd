// One named setting of an optimizer, a rate policy or the clipping: its type, default, range, and its place
// in the struct that holds it. Readers and writers of recipes are loops over lists of settings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "model/op_spec.hpp"

namespace dlbench::model {

// Finite numbers between two bounds.
struct Range {
  double low = 0.0;
  double high = std::numeric_limits<double>::infinity();
  bool with_low = true;    // the bound itself is allowed
  bool with_high = false;  // the same
};

struct SettingRule {
  std::string name = {};
  std::optional<Attribute> default_value = {};  // absent: the setting is required
  std::string meaning = {};                     // one line, says units or allowed values
  Range range = {};                             // of a number, and of every element of a list
  AttributeKind kind = AttributeKind::real;
  std::vector<std::string> choices = {};  // of a text; filled in from the type
};

// "must be …" when `value` is not allowed. Asserts that it is of the setting's kind.
[[nodiscard]] std::optional<std::string> problem_with(const SettingRule& rule, const Attribute& value);

// A choice between names is an enumeration; beside it stands `names_of`, its names in the order of its
// values.

template <class Owner>
struct Setting : SettingRule {
  Attribute (*get)(const Owner& owner) = nullptr;
  // Asserts an allowed value.
  void (*set)(Owner& owner, const Attribute& value) = nullptr;
};

namespace detail {

template <class Owner, class Value>
Owner owner_of(Value Owner::*);
template <class Owner, class Value>
Value value_of(Value Owner::*);

template <class Value>
AttributeKind kind_of() {
  if constexpr (std::is_enum_v<Value>) {
    return AttributeKind::text;
  } else {
    return static_cast<AttributeKind>(Attribute(Value{}).index());
  }
}

template <class Value>
Attribute to_attribute(const Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    return names_of(value)[static_cast<std::size_t>(value)];
  } else {
    return value;
  }
}

template <class Value>
void from_attribute(const Attribute& attribute, Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    const std::vector<std::string>& names = names_of(Value{});
    const std::string& name = std::get<std::string>(attribute);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) {
        value = static_cast<Value>(i);
        return;
      }
    }
    base::fail_assertion("a known name", __FILE__, __LINE__, name);
  } else {
    value = std::get<Value>(attribute);
  }
}

}  // namespace detail

// The name of one value of an enumeration.
template <class Enum>
[[nodiscard]] const std::string& name_of(Enum value) {
  return names_of(value)[static_cast<std::size_t>(value)];
}

// For people.
[[nodiscard]] std::string to_text(const Attribute& value);

// The setting that lives in `Member`; kind and choices follow from its type.
template <auto Member>
[[nodiscard]] auto setting(SettingRule rule) {
  using Owner = decltype(detail::owner_of(Member));
  using Value = decltype(detail::value_of(Member));
  rule.kind = detail::kind_of<Value>();
  if constexpr (std::is_enum_v<Value>) {
    rule.choices = names_of(Value{});
  }
  Setting<Owner> result{std::move(rule)};
  result.get = [](const Owner& owner) { return detail::to_attribute(owner.*Member); };
  result.set = [](Owner& owner, const Attribute& value) { detail::from_attribute(value, owner.*Member); };
  return result;
}

// Throws base::UserError naming the first value outside its range; `place` stands before its name.
template <class Owner>
void check_settings(const std::vector<Setting<Owner>>& settings, const Owner& owner,
                    const std::string& place) {
  for (const Setting<Owner>& setting : settings) {
    if (const auto problem = problem_with(setting, setting.get(owner))) {
      throw base::UserError("recipe: " + place + setting.name + " " + *problem, place + setting.name);
    }
  }
}

template <class Owner>
[[nodiscard]] bool has_setting(const std::vector<Setting<Owner>>& settings, const std::string& name) {
  for (const SettingRule& rule : settings) {
    if (rule.name == name) {
      return true;
    }
  }
  return false;
}

template <class Owner>
[[nodiscard]] std::vector<std::string> names_of_settings(const std::vector<Setting<Owner>>& settings) {
  std::vector<std::string> names;
  names.reserve(settings.size());
  for (const Setting<Owner>& setting : settings) {
    names.push_back(setting.name);
  }
  return names;
}

}  // namespace dlbench::model
