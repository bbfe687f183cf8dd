// {name} in a manifest's texts.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dlbench::frameworks {

using Placeholders = std::map<std::string, std::string>;

// Replaces every {name}; a name that is not in `values` stays as it is, so check with unknown_placeholder
// before. A replacement is not searched again.
[[nodiscard]] std::string expand(const std::string& text, const Placeholders& values);

// The first {name} that is not in `known`; "{" without "}" counts as unknown too.
[[nodiscard]] std::optional<std::string> unknown_placeholder(const std::string& text,
                                                             const std::vector<std::string>& known);

}  // namespace dlbench::frameworks
