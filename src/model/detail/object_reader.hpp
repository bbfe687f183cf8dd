// Typed access to one JSON object that refuses what it does not know, with the place in every message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace dlbench::model {

// All members throw base::UserError whose `where` is the place, such as "graph.nodes[3].name".
class ObjectReader {
 public:
  // Refuses anything but an object with these keys.
  ObjectReader(const nlohmann::json& value, std::string place,
               std::initializer_list<std::string_view> known_keys);

  // Any keys: the caller checks them.
  ObjectReader(const nlohmann::json& value, std::string place);

  [[nodiscard]] bool has(const char* key) const { return value_->contains(key); }
  // The member; refused when missing.
  [[nodiscard]] const nlohmann::json& at(const char* key) const;
  [[nodiscard]] std::string place(const char* key) const { return place_ + "." + key; }

  [[nodiscard]] std::string text(const char* key) const;  // at most 256 bytes
  [[nodiscard]] bool flag(const char* key) const;
  [[nodiscard]] double real(const char* key) const;  // an integer is accepted
  [[nodiscard]] std::int64_t integer(const char* key) const;
  [[nodiscard]] std::uint64_t natural(const char* key) const;
  [[nodiscard]] const nlohmann::json& array(const char* key, std::size_t max_size) const;
  [[nodiscard]] std::vector<std::int64_t> integers(const char* key, std::size_t max_size) const;

 private:
  const nlohmann::json* value_;
  std::string place_;
};

// Of one value; false when it is no integer or does not fit.
[[nodiscard]] bool fits_int64(const nlohmann::json& value);

[[noreturn]] void reject_json(const std::string& place, std::string_view problem);

}  // namespace dlbench::model
