// JSON text in and out: strict parsing of untrusted text, and the one canonical way to write it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace dlbench::model {

// Throws base::UserError when the text is larger than 1 MiB, malformed, nested deeper than 16, or has a key
// twice in one object (which reader wins would depend on the library). `what` names the document in messages.
[[nodiscard]] nlohmann::json parse_strict(std::string_view text, std::string_view what);

// Keys sorted, no spaces, doubles with 17 significant digits and always a '.' or an exponent: a double stays
// one.
[[nodiscard]] std::string canonical_text(const nlohmann::json& value);

}  // namespace dlbench::model
