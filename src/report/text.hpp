// Text of unknown origin made safe to show: valid UTF-8, no control characters, known width on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dlbench::report {

// Reads the code point at `position` and moves past it. An invalid sequence gives U+FFFD and moves past its
// longest valid beginning (Unicode 15, section 3.9, "maximal subpart"). `position` must be inside `text`.
[[nodiscard]] char32_t next_code_point(std::string_view text, std::size_t& position);
void append_utf8(std::string& out, char32_t code_point);

enum class Lines { keep, join };

// Valid UTF-8 without control characters and without invisible direction switches: a runner's message may
// neither move the cursor of a terminal nor reorder the text around it. Each is shown as U+FFFD; line ends
// and tabs are kept, or become one space with Lines::join.
[[nodiscard]] std::string clean_text(std::string_view text, Lines lines);

// Columns that valid UTF-8 takes on a terminal: 2 for East Asian wide characters and emoji, 0 for combining
// marks. Own table because wcwidth depends on the locale.
[[nodiscard]] int display_width(std::string_view text);

// Lines of at most `width` columns (at least 1), broken at spaces; a longer word is cut. U+00A0 never breaks
// and comes out as a plain space. At least one line.
[[nodiscard]] std::vector<std::string> wrap_text(std::string_view text, int width);

// Keeps the spaces of `text` together in wrap_text.
[[nodiscard]] std::string unbreakable(std::string_view text);

}  // namespace dlbench::report
