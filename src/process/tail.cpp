#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "process/process.hpp"

namespace dlbench::process {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

struct Lead {
  std::size_t length;     // of the whole sequence; 0: cannot start one
  std::uint32_t payload;  // bits of the first byte
  std::uint32_t minimum;  // smaller code points are overlong
};

Lead lead_of(unsigned char c) {
  if (c < 0x80U) {
    return {1, c, 0};
  }
  if ((c & 0xE0U) == 0xC0U) {
    return {2, c & 0x1FU, 0x80};
  }
  if ((c & 0xF0U) == 0xE0U) {
    return {3, c & 0x0FU, 0x800};
  }
  if ((c & 0xF8U) == 0xF0U) {
    return {4, c & 0x07U, 0x10000};
  }
  return {0, 0, 0};
}

// Length of the well-formed sequence at `at`, 0 when there is none.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const Lead lead = lead_of(static_cast<unsigned char>(text[at]));
  if (lead.length == 0 || at + lead.length > text.size()) {
    return 0;
  }
  std::uint32_t point = lead.payload;
  for (std::size_t i = 1; i < lead.length; ++i) {
    if (!is_continuation(text[at + i])) {
      return 0;
    }
    point = (point << 6U) | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
  }
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  return point < lead.minimum || surrogate || point > 0x10FFFF ? 0 : lead.length;
}

// `cut`: the text starts in the middle of a file, so a broken first character is our doing and is dropped.
std::string valid_utf8(std::string_view text, bool cut) {
  std::size_t at = 0;
  while (cut && at < text.size() && at < 3 && is_continuation(text[at])) {
    ++at;
  }
  std::string out;
  out.reserve(text.size());
  while (at < text.size()) {
    const std::size_t length = sequence_length(text, at);
    out.append(length == 0 ? replacement : text.substr(at, length));
    at += length == 0 ? 1 : length;
  }
  return out;
}

}  // namespace

std::string tail_of_file(const std::string& path, std::size_t bytes) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info = {};
  if (!file.valid() || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return {};
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  std::size_t offset = size > bytes ? size - bytes : 0;
  const bool cut = offset > 0;
  std::string raw;
  std::array<char, 4096> buffer{};
  while (raw.size() < bytes) {
    const std::size_t wanted = std::min(buffer.size(), bytes - raw.size());
    const ssize_t got = ::pread(file.get(), buffer.data(), wanted, static_cast<off_t>(offset));
    if (got <= 0) {
      break;
    }
    raw.append(buffer.data(), static_cast<std::size_t>(got));
    offset += static_cast<std::size_t>(got);
  }
  return valid_utf8(raw, cut);
}

}  // namespace dlbench::process
