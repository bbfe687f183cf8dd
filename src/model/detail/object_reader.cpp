#include "model/detail/object_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.hpp"

namespace dlbench::model {

using nlohmann::json;

void reject_json(const std::string& place, std::string_view problem) {
  throw base::UserError(fmt::format("{}: {}", place, problem), place);
}

bool fits_int64(const json& value) {
  constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return value.is_number_integer() && !(value.is_number_unsigned() && value.get<std::uint64_t>() > largest);
}

ObjectReader::ObjectReader(const json& value, std::string place) : value_(&value), place_(std::move(place)) {
  if (!value.is_object()) {
    reject_json(place_, "must be an object");
  }
}

ObjectReader::ObjectReader(const json& value, std::string place,
                           std::initializer_list<std::string_view> known_keys)
    : ObjectReader(value, std::move(place)) {
  for (const auto& [key, member] : value.items()) {
    if (std::find(known_keys.begin(), known_keys.end(), key) == known_keys.end()) {
      reject_json(place_, fmt::format("unknown key '{}'", key));
    }
  }
}

const json& ObjectReader::at(const char* key) const {
  const auto found = value_->find(key);
  if (found == value_->end()) {
    reject_json(place_, fmt::format("key '{}' is missing", key));
  }
  return *found;
}

std::string ObjectReader::text(const char* key) const {
  const json& value = at(key);
  if (!value.is_string() || value.get_ref<const std::string&>().size() > 256) {
    reject_json(place(key), "must be text of at most 256 bytes");
  }
  return value.get<std::string>();
}

bool ObjectReader::flag(const char* key) const {
  const json& value = at(key);
  if (!value.is_boolean()) {
    reject_json(place(key), "must be true or false");
  }
  return value.get<bool>();
}

double ObjectReader::real(const char* key) const {
  const json& value = at(key);
  if (!value.is_number()) {
    reject_json(place(key), "must be a number");
  }
  return value.get<double>();
}

std::int64_t ObjectReader::integer(const char* key) const {
  const json& value = at(key);
  if (!fits_int64(value)) {
    reject_json(place(key), "must be an integer of 64 bits");
  }
  return value.get<std::int64_t>();
}

std::uint64_t ObjectReader::natural(const char* key) const {
  const json& value = at(key);
  if (!value.is_number_unsigned()) {
    reject_json(place(key), "must be an integer of 64 bits, not negative");
  }
  return value.get<std::uint64_t>();
}

const json& ObjectReader::array(const char* key, std::size_t max_size) const {
  const json& value = at(key);
  if (!value.is_array() || value.size() > max_size) {
    reject_json(place(key), fmt::format("must be an array of at most {} elements", max_size));
  }
  return value;
}

std::vector<std::int64_t> ObjectReader::integers(const char* key, std::size_t max_size) const {
  std::vector<std::int64_t> result;
  for (const json& element : array(key, max_size)) {
    if (!fits_int64(element)) {
      reject_json(place(key), "must hold integers of 64 bits only");
    }
    result.push_back(element.get<std::int64_t>());
  }
  return result;
}

}  // namespace dlbench::model
