// "Did you mean …?" for names that the user mistyped.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dlbench::base {

// The known name with the smallest edit distance (Levenshtein), if that is at most a third of its length (at
// least 1); the first one in `known` at equal distance.
[[nodiscard]] std::optional<std::string> nearest(std::string_view name,
                                                 const std::vector<std::string>& known);

// "did you mean 'blocks'?" or, when nothing is near, "known: a, b, c".
[[nodiscard]] std::string nearest_hint(std::string_view name, const std::vector<std::string>& known);

}  // namespace dlbench::base
