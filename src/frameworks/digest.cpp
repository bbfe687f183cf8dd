#include "frameworks/digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"

namespace dlbench::frameworks {

namespace {

namespace fs = std::filesystem;

bool is_counted(const fs::path& relative) {
  const std::string name = relative.filename().string();
  if (name == "README.md" || name.ends_with(".pyc")) {
    return false;
  }
  return std::none_of(relative.begin(), relative.end(),
                      [](const fs::path& part) { return part == "__pycache__"; });
}

std::string hash_if_file(const fs::path& path) {
  return fs::is_regular_file(path) ? base::hash_file(path.string()) : std::string("none");
}

std::string lock_hash(const Manifest& manifest, const VersionEntry& entry) {
  return entry.lock.empty() ? std::string("none")
                            : base::hash_file((fs::path(manifest.folder) / entry.lock).string());
}

}  // namespace

std::string hash_folder(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(folder, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->is_regular_file() && is_counted(at->path().lexically_relative(folder))) {
      files.push_back(at->path());
    }
  }
  if (error) {
    throw base::UserError(fmt::format("cannot read the folder {}: {}", folder, error.message()), folder);
  }
  std::sort(files.begin(), files.end());
  std::string text;
  for (const fs::path& file : files) {
    text += fmt::format("{}\n{}\n", file.lexically_relative(folder).string(), base::hash_file(file.string()));
  }
  return base::hash_hex(text);
}

std::string full_digest(const Places& places, const Manifest& manifest, const VersionEntry& entry) {
  return base::hash_hex(fmt::format("{}\n{}\n{}\n{}\n{}\n", manifest.name, entry.version,
                                    lock_hash(manifest, entry), hash_folder(manifest.folder),
                                    hash_folder(places.sdk)));
}

std::string environment_digest(const Manifest& manifest, const VersionEntry& entry) {
  return base::hash_hex(
      fmt::format("{}\n{}\n{}\n{}\n{}\n", manifest.name, entry.version, lock_hash(manifest, entry),
                  hash_if_file(fs::path(manifest.folder) / "prepare"), manifest.python_range));
}

}  // namespace dlbench::frameworks
