#include "probes/kernel_text.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

namespace dlbench::probes {
namespace {

constexpr std::size_t file_max_bytes = 64U << 20U;
constexpr std::string_view blanks = " \t\r\n";

template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<std::string> read_kernel_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::string chunk(16384, '\0');
  while (file && text.size() < file_max_bytes) {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    text.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
  }
  // An open file that cannot be read (a folder, a file of another user) ends in the bad state, not at its
  // end.
  return file.eof() || text.size() >= file_max_bytes ? std::optional(std::move(text)) : std::nullopt;
}

std::optional<std::string> read_first_line(const std::string& path) {
  const auto text = read_kernel_file(path);
  if (!text || text->empty()) {
    return std::nullopt;
  }
  return std::string(trim(split_lines(*text).front()));
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    lines.push_back(text.substr(0, text.find('\n')));
    text.remove_prefix(std::min(text.size(), lines.back().size() + 1));
  }
  return lines;
}

std::vector<std::string_view> split_words(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = trim(text); !text.empty(); text = trim(text)) {
    words.push_back(text.substr(0, text.find_first_of(blanks)));
    text.remove_prefix(words.back().size());
  }
  return words;
}

std::string_view trim(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
  return parse_number<std::uint64_t>(text);
}

std::optional<double> parse_real(std::string_view text) {
  return parse_number<double>(text);
}

std::optional<std::string_view> find_value(std::string_view text, std::string_view key) {
  for (const std::string_view line : split_lines(text)) {
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && trim(line.substr(0, colon)) == key) {
      return trim(line.substr(colon + 1));
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> find_kib(std::string_view text, std::string_view key) {
  const auto value = find_value(text, key);
  const auto words = split_words(value.value_or(""));
  if (words.size() != 2 || words[1] != "kB") {
    return std::nullopt;
  }
  const auto count = parse_count(words[0]);
  return count && *count <= UINT64_MAX / 1024 ? std::optional(*count * 1024) : std::nullopt;
}

std::optional<std::vector<int>> parse_cpu_list(std::string_view text) {
  std::vector<int> cpus;
  std::string_view rest = trim(text);
  while (!rest.empty()) {
    const std::string_view item = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), item.size() + 1));
    const std::size_t dash = item.find('-');
    const auto first = parse_count(item.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parse_count(item.substr(dash + 1));
    if (!first || !last || *first > *last || *last >= max_cpus) {
      return std::nullopt;
    }
    for (std::uint64_t cpu = *first; cpu <= *last; ++cpu) {
      cpus.push_back(static_cast<int>(cpu));
    }
  }
  return cpus;
}

}  // namespace dlbench::probes
