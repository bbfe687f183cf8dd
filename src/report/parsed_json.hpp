// Stored JSON text of unknown origin (machine states, environments), read with limits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dlbench::report {

// Scalars of a JSON object by dotted path ("memory.total_bytes"), in document order; arrays of scalars are
// joined by spaces, other arrays become "n entries". nullopt when the text is no JSON object or exceeds the
// limits (4 MiB, nesting 32).
[[nodiscard]] std::optional<std::vector<std::pair<std::string, std::string>>> flatten_json(
    std::string_view text);

}  // namespace dlbench::report
