#include "frameworks/folder.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "base/text_file.hpp"

namespace dlbench::frameworks {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_stamp_bytes = 4096;

std::optional<std::uint64_t> parse_bytes(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

bool is_digest(const std::string& text) {
  return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

}  // namespace

Folder folder_of(const Places& places, const Manifest& manifest, const VersionEntry& entry) {
  const fs::path parent = fs::path(places.cache) / "frameworks" / manifest.name;
  const fs::path root = parent / entry.version;
  Folder folder;
  folder.root = root.string();
  folder.env = (root / "env").string();
  folder.build = (root / "build").string();
  folder.home = (root / "home").string();
  folder.log = (root / "log").string();
  folder.description = (root / "description.json").string();
  folder.ready = (root / "READY").string();
  folder.lock = root.string() + ".lock";
  folder.why_not = root.string() + ".why_not";
  return folder;
}

void write_stamp(const Folder& folder, const Stamp& stamp) {
  base::write_text_file(folder.ready,
                        fmt::format("{} {} {}\n", stamp.digest, stamp.environment_digest, stamp.bytes));
}

std::optional<Stamp> read_stamp(const Folder& folder) {
  std::error_code error;
  if (!fs::is_regular_file(folder.ready, error)) {
    return std::nullopt;
  }
  std::istringstream words(base::read_text_file(folder.ready, max_stamp_bytes));
  Stamp stamp;
  std::string bytes;
  words >> stamp.digest >> stamp.environment_digest >> bytes;
  const auto count = parse_bytes(bytes);
  if (!is_digest(stamp.digest) || !is_digest(stamp.environment_digest) || !count) {
    return std::nullopt;
  }
  stamp.bytes = *count;
  return stamp;
}

std::uint64_t folder_bytes(const std::string& folder) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(folder, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    std::error_code ignored;  // a file that vanished meanwhile counts nothing
    if (at->symlink_status(ignored).type() == fs::file_type::regular) {
      const std::uintmax_t size = at->file_size(ignored);
      bytes += ignored ? 0 : size;
    }
  }
  return bytes;
}

const VersionEntry& version_entry(const Manifest& manifest, const std::string& version) {
  DLBENCH_ASSERT(!manifest.versions.empty(), manifest.name);
  if (version.empty()) {
    return manifest.versions.front();
  }
  std::vector<std::string> known;
  for (const VersionEntry& entry : manifest.versions) {
    if (entry.version == version) {
      return entry;
    }
    known.push_back(entry.version);
  }
  throw base::UserError(fmt::format("{} has no version '{}'", manifest.name, version), {},
                        base::nearest_hint(version, known));
}

std::string virtual_python(const Folder& folder) {
  return (fs::path(folder.env) / "bin" / "python").string();
}

}  // namespace dlbench::frameworks
