#include "model/detail/json_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <set>
#include <vector>

#include "base/error.hpp"

namespace dlbench::model {
namespace {

using nlohmann::json;

constexpr std::size_t max_text_bytes = std::size_t{1} << 20U;
constexpr int max_depth = 16;

// Watches the parser: `keys_[d]` are the keys met so far in the open object at depth d.
class Guard {
 public:
  explicit Guard(std::string_view what) : what_(what) {}

  bool operator()(int depth, json::parse_event_t event, const json& parsed) {
    if (depth > max_depth) {
      throw base::UserError(fmt::format("{}: nested deeper than {}", what_, max_depth));
    }
    const auto level = static_cast<std::size_t>(depth);
    if (event == json::parse_event_t::object_start) {
      keys_.resize(level + 2);
      keys_[level + 1].clear();
    } else if (event == json::parse_event_t::key) {
      const std::string key = parsed.get<std::string>();
      if (!keys_[level].insert(key).second) {
        throw base::UserError(fmt::format("{}: key '{}' stands twice in one object", what_, key));
      }
    }
    return true;
  }

 private:
  std::string_view what_;
  std::vector<std::set<std::string>> keys_;
};

void append_number(double value, std::string& out) {
  DLBENCH_ASSERT(std::isfinite(value), "JSON has no infinity and no NaN");
  std::string digits = fmt::format("{:.17g}", value);
  if (digits.find_first_of(".e") == std::string::npos) {
    digits += ".0";
  }
  out += digits;
}

void append(const json& value, std::string& out) {
  const char* separator = "";
  if (value.is_object()) {
    out += '{';
    for (const auto& [key, member] : value.items()) {  // json objects are ordered by key
      out += separator + json(key).dump() + ':';
      append(member, out);
      separator = ",";
    }
    out += '}';
  } else if (value.is_array()) {
    out += '[';
    for (const json& element : value) {
      out += separator;
      append(element, out);
      separator = ",";
    }
    out += ']';
  } else if (value.is_number_float()) {
    append_number(value.get<double>(), out);
  } else {
    out += value.dump();
  }
}

}  // namespace

json parse_strict(std::string_view text, std::string_view what) {
  if (text.size() > max_text_bytes) {
    throw base::UserError(fmt::format("{}: larger than {} bytes", what, max_text_bytes));
  }
  Guard guard(what);
  try {
    return json::parse(text, [&guard](int depth, json::parse_event_t event, json& parsed) {
      return guard(depth, event, parsed);
    });
  } catch (const json::exception& error) {
    throw base::UserError(fmt::format("{}: {}", what, error.what()));
  }
}

std::string canonical_text(const json& value) {
  std::string out;
  append(value, out);
  return out;
}

}  // namespace dlbench::model
