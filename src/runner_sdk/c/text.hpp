// A growing buffer for JSON text. Plain data: it lives in static storage and is released by hand.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dlb {

struct Text {
  char* data;  // NUL-terminated once something was added
  std::size_t bytes;
  std::size_t capacity;
  bool out_of_memory;
};

void clear(Text& text);
void release(Text& text);
void add(Text& text, const char* value);
void add(Text& text, std::int64_t value);
// As a JSON string with its quotes. Bytes that are not UTF-8 become '?'; at most `max_bytes` of the value are
// used.
void add_quoted(Text& text, const char* value, std::size_t max_bytes);

}  // namespace dlb
