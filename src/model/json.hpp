// The one data format of models and recipes: normalised JSON text. See docs/formats/graph.md.
#pragma once

#include <string>
#include <string_view>

#include "model/graph.hpp"
#include "model/recipe.hpp"

namespace dlbench::model {

// Canonical: keys sorted, no spaces, doubles with 17 digits; so equal graphs have equal text (and hash).
[[nodiscard]] std::string to_json(const Graph& graph);
[[nodiscard]] std::string to_json(const Recipe& recipe);

// Untrusted input: limits on size (1 MiB), nodes (10,000), rank (6) and extents; unknown keys refused.
// Accepts a graph with or without the derived fields; derived fields present must agree with what `complete`
// derives. Throws base::UserError.
[[nodiscard]] Graph graph_from_json(std::string_view text);
[[nodiscard]] Recipe recipe_from_json(std::string_view text);

}  // namespace dlbench::model
