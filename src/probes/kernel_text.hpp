// Small readers of the kernel's text files. Internal to this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dlbench::probes {

// Content of a file of /proc or /sys (at most 64 MiB of it); nullopt: not there or not readable.
[[nodiscard]] std::optional<std::string> read_kernel_file(const std::string& path);
// Its first line without blanks at either end.
[[nodiscard]] std::optional<std::string> read_first_line(const std::string& path);

[[nodiscard]] std::vector<std::string_view> split_lines(std::string_view text);
[[nodiscard]] std::vector<std::string_view> split_words(std::string_view text);
[[nodiscard]] std::string_view trim(std::string_view text);

// The whole text must be the number.
[[nodiscard]] std::optional<std::uint64_t> parse_count(std::string_view text);
// Independent of the locale.
[[nodiscard]] std::optional<double> parse_real(std::string_view text);

// Value of the first line "<key><blanks>:<value>"; nullopt when there is none.
[[nodiscard]] std::optional<std::string_view> find_value(std::string_view text, std::string_view key);
// "… : 123 kB" in bytes.
[[nodiscard]] std::optional<std::uint64_t> find_kib(std::string_view text, std::string_view key);

// Processor numbers of the kernel's files are below this; more is garbage.
inline constexpr std::uint64_t max_cpus = 65536;

// The kernel's list format, "0-3,8": ascending numbers below max_cpus; nullopt when the text is not one.
[[nodiscard]] std::optional<std::vector<int>> parse_cpu_list(std::string_view text);

}  // namespace dlbench::probes
