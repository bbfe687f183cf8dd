// Ranges of interpreter versions: ">=3.11,<3.14".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dlbench::frameworks {

using Version = std::vector<int>;  // {3, 11, 2}

// Digits separated by dots; nullopt for anything else.
[[nodiscard]] std::optional<Version> parse_version(std::string_view text);

// 3.11 equals 3.11.0: missing parts count as 0.
[[nodiscard]] int compare(const Version& a, const Version& b);

struct Bound {
  std::string relation;  // ">=", ">", "<=", "<", "=="
  Version version;
};

// Bounds separated by commas, all of which must hold; nullopt when malformed.
[[nodiscard]] std::optional<std::vector<Bound>> parse_range(std::string_view text);

[[nodiscard]] bool contains(const std::vector<Bound>& range, const Version& version);

}  // namespace dlbench::frameworks
