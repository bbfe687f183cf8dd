#include "text.hpp"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace dlb {

namespace {

void append(Text& text, const char* bytes, std::size_t count) {
  if (text.out_of_memory) {
    return;
  }
  const std::size_t needed = text.bytes + count + 1;
  if (needed > text.capacity) {
    const std::size_t capacity = needed * 2;
    void* grown = realloc(text.data, capacity);
    if (grown == nullptr) {
      text.out_of_memory = true;
      return;
    }
    text.data = static_cast<char*>(grown);
    text.capacity = capacity;
  }
  memcpy(text.data + text.bytes, bytes, count);
  text.bytes += count;
  text.data[text.bytes] = '\0';
}

bool is_continuation(unsigned char byte) {
  return (byte & 0xC0U) == 0x80U;
}

// Length of the well-formed UTF-8 sequence at `at` (RFC 3629: no overlong forms, no surrogates), 0 when there
// is none.
std::size_t sequence_bytes(const unsigned char* at, std::size_t left) {
  const unsigned char lead = at[0];
  const std::size_t length = lead < 0x80U                     ? 1
                             : lead >= 0xC2U && lead <= 0xDFU ? 2
                             : lead >= 0xE0U && lead <= 0xEFU ? 3
                             : lead >= 0xF0U && lead <= 0xF4U ? 4
                                                              : 0;
  if (length == 0 || length > left) {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(at[i])) {
      return 0;
    }
  }
  const bool malformed = (lead == 0xE0U && at[1] < 0xA0U) || (lead == 0xEDU && at[1] > 0x9FU) ||
                         (lead == 0xF0U && at[1] < 0x90U) || (lead == 0xF4U && at[1] > 0x8FU);
  return malformed ? 0 : length;
}

}  // namespace

void clear(Text& text) {
  text.bytes = 0;
  text.out_of_memory = false;
}

void release(Text& text) {
  free(text.data);
  text = Text{};
}

void add(Text& text, const char* value) {
  append(text, value, strlen(value));
}

void add(Text& text, std::int64_t value) {
  char digits[24];
  const int count = snprintf(digits, sizeof(digits), "%lld", static_cast<long long>(value));
  append(text, digits, static_cast<std::size_t>(count));
}

void add_quoted(Text& text, const char* value, std::size_t max_bytes) {
  const std::size_t total = strnlen(value, max_bytes);
  append(text, "\"", 1);
  for (std::size_t i = 0; i < total;) {
    const char* at = value + i;
    const auto byte = static_cast<unsigned char>(*at);
    const std::size_t length = sequence_bytes(reinterpret_cast<const unsigned char*>(at), total - i);
    if (length == 0) {
      append(text, "?", 1);
    } else if (byte == '"' || byte == '\\') {
      append(text, "\\", 1);
      append(text, at, 1);
    } else if (byte < 0x20U) {
      char escape[8];
      snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(byte));
      append(text, escape, 6);
    } else {
      append(text, at, length);
    }
    i += length == 0 ? 1 : length;
  }
  append(text, "\"", 1);
}

}  // namespace dlb
