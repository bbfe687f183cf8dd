#include "report/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace dlbench::report {
namespace {

constexpr char32_t replacement = 0xFFFD;

struct Range {
  char32_t first;
  char32_t last;
};

constexpr std::array<Range, 8> zero_width = {{{0x0300, 0x036F},
                                              {0x1AB0, 0x1AFF},
                                              {0x1DC0, 0x1DFF},
                                              {0x200B, 0x200F},
                                              {0x20D0, 0x20FF},
                                              {0xFE00, 0xFE0F},
                                              {0xFE20, 0xFE2F},
                                              {0xFEFF, 0xFEFF}}};

// East Asian Width W and F, and the emoji blocks, rounded to whole blocks.
constexpr std::array<Range, 13> double_width = {{{0x1100, 0x115F},
                                                 {0x2E80, 0x303E},
                                                 {0x3041, 0x33FF},
                                                 {0x3400, 0x4DBF},
                                                 {0x4E00, 0x9FFF},
                                                 {0xA000, 0xA4CF},
                                                 {0xAC00, 0xD7A3},
                                                 {0xF900, 0xFAFF},
                                                 {0xFE30, 0xFE6F},
                                                 {0xFF00, 0xFF60},
                                                 {0xFFE0, 0xFFE6},
                                                 {0x1F300, 0x1FAFF},
                                                 {0x20000, 0x3FFFD}}};

bool in_ranges(char32_t code_point, std::span<const Range> ranges) {
  return std::any_of(ranges.begin(), ranges.end(), [code_point](const Range& range) {
    return code_point >= range.first && code_point <= range.last;
  });
}

int code_point_width(char32_t code_point) {
  if (in_ranges(code_point, zero_width)) {
    return 0;
  }
  return in_ranges(code_point, double_width) ? 2 : 1;
}

bool is_hidden(char32_t code_point) {
  const bool control = code_point < 0x20 || (code_point >= 0x7F && code_point <= 0x9F);
  const bool direction =
      (code_point >= 0x202A && code_point <= 0x202E) || (code_point >= 0x2066 && code_point <= 0x2069);
  // U+2028 and U+2029 end a line inside a JavaScript string; nothing here needs them.
  return control || direction || code_point == 0x2028 || code_point == 0x2029;
}

// What the lead byte promises: number of continuation bytes and the range of the first of them, which
// excludes overlong forms, surrogates and values above U+10FFFF.
struct Lead {
  int continuation_count;
  std::uint8_t low;
  std::uint8_t high;
};

Lead classify(std::uint8_t byte) {
  if (byte >= 0xC2 && byte <= 0xDF) {
    return {1, 0x80, 0xBF};
  }
  if (byte >= 0xE0 && byte <= 0xEF) {
    return {2, static_cast<std::uint8_t>(byte == 0xE0 ? 0xA0 : 0x80),
            static_cast<std::uint8_t>(byte == 0xED ? 0x9F : 0xBF)};
  }
  if (byte >= 0xF0 && byte <= 0xF4) {
    return {3, static_cast<std::uint8_t>(byte == 0xF0 ? 0x90 : 0x80),
            static_cast<std::uint8_t>(byte == 0xF4 ? 0x8F : 0xBF)};
  }
  return {0, 0, 0};
}

// Appends `piece`, which may be wider than a line, in cuts of at most `width` columns.
void append_cut(std::vector<std::string>& lines, int& used, std::string_view piece, int width) {
  for (std::size_t position = 0; position < piece.size();) {
    const std::size_t begin = position;
    const int columns = code_point_width(next_code_point(piece, position));
    if (used + columns > width && used > 0) {
      lines.emplace_back();
      used = 0;
    }
    lines.back().append(piece.substr(begin, position - begin));
    used += columns;
  }
}

std::string with_plain_spaces(std::string_view text) {
  std::string out;
  for (std::size_t position = 0; position < text.size();) {
    const char32_t code_point = next_code_point(text, position);
    append_utf8(out, code_point == 0xA0 ? U' ' : code_point);
  }
  return out;
}

}  // namespace

char32_t next_code_point(std::string_view text, std::size_t& position) {
  const auto byte_at = [text](std::size_t index) { return static_cast<std::uint8_t>(text[index]); };
  const std::uint8_t first = byte_at(position++);
  if (first < 0x80) {
    return first;
  }
  Lead lead = classify(first);
  if (lead.continuation_count == 0) {
    return replacement;
  }
  char32_t code_point = first & (0x3FU >> static_cast<unsigned>(lead.continuation_count));
  for (int i = 0; i < lead.continuation_count; ++i) {
    if (position >= text.size() || byte_at(position) < lead.low || byte_at(position) > lead.high) {
      return replacement;
    }
    code_point = (code_point << 6U) | (byte_at(position++) & 0x3FU);
    lead.low = 0x80;
    lead.high = 0xBF;
  }
  return code_point;
}

void append_utf8(std::string& out, char32_t code_point) {
  const auto add = [&out](char32_t byte) {
    out.push_back(static_cast<char>(static_cast<std::uint8_t>(byte)));
  };
  if (code_point < 0x80) {
    add(code_point);
  } else if (code_point < 0x800) {
    add(0xC0U | (code_point >> 6U));
    add(0x80U | (code_point & 0x3FU));
  } else if (code_point < 0x10000) {
    add(0xE0U | (code_point >> 12U));
    add(0x80U | ((code_point >> 6U) & 0x3FU));
    add(0x80U | (code_point & 0x3FU));
  } else {
    add(0xF0U | (code_point >> 18U));
    add(0x80U | ((code_point >> 12U) & 0x3FU));
    add(0x80U | ((code_point >> 6U) & 0x3FU));
    add(0x80U | (code_point & 0x3FU));
  }
}

std::string clean_text(std::string_view text, Lines lines) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t position = 0; position < text.size();) {
    const char32_t code_point = next_code_point(text, position);
    if (code_point == U'\n' || code_point == U'\t') {
      out.push_back(lines == Lines::keep ? static_cast<char>(code_point) : ' ');
    } else if (code_point == U'\r' && position < text.size() && text[position] == '\n') {
      continue;  // CR LF is one line end
    } else {
      append_utf8(out, is_hidden(code_point) ? replacement : code_point);
    }
  }
  return out;
}

int display_width(std::string_view text) {
  int width = 0;
  for (std::size_t position = 0; position < text.size();) {
    width += code_point_width(next_code_point(text, position));
  }
  return width;
}

std::vector<std::string> wrap_text(std::string_view text, int width) {
  width = std::max(width, 1);
  std::vector<std::string> lines(1);
  int used = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t space = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, space - begin);
    begin = space + 1;
    if (word.empty()) {
      continue;
    }
    const int columns = display_width(word);
    if (used > 0 && used + 1 + columns <= width) {
      lines.back().push_back(' ');
      ++used;
    } else if (used > 0) {
      lines.emplace_back();
      used = 0;
    }
    append_cut(lines, used, word, width);
  }
  for (std::string& line : lines) {
    line = with_plain_spaces(line);
  }
  return lines;
}

std::string unbreakable(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == ' ') {
      out.append("\xC2\xA0");
    } else {
      out.push_back(c);
    }
  }
  return out;
}

}  // namespace dlbench::report
