// The only ways in which text enters a page.
#pragma once

#include <string>
#include <string_view>

namespace dlbench::report {

// For element content and for attribute values in double or single quotes: & < > " ' become references; the
// text is cleaned first (text.hpp), line ends are kept.
[[nodiscard]] std::string escape_html(std::string_view text);

// JSON text that may stand inside a <script> element: < > & and the line separators U+2028 and U+2029 become
// \u escapes, which mean the same to a JSON reader. `json` must be valid JSON, where these occur inside
// strings only.
[[nodiscard]] std::string escape_json_for_script(std::string_view json);

// One CSV field (RFC 4180): quoted when it holds a quote, comma or line end. Text that a spreadsheet would
// run as a formula (= + - @ at its start) gets an apostrophe in front; never used for numbers.
[[nodiscard]] std::string escape_csv_text(std::string_view text);

}  // namespace dlbench::report
