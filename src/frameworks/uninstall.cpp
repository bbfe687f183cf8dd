// Removing environments, also those that no manifest names any more.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/error.hpp"
#include "frameworks/file_lock.hpp"
#include "frameworks/folder.hpp"
#include "frameworks/frameworks.hpp"
#include "frameworks/names.hpp"
#include "process/process.hpp"

namespace dlbench::frameworks {

namespace {

namespace fs = std::filesystem;

// Names of the folders in `parent`, sorted; none when it cannot be read.
std::vector<std::string> folders_in(const fs::path& parent) {
  std::vector<std::string> names;
  std::error_code error;
  for (auto at = fs::directory_iterator(parent, error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    std::error_code ignored;
    if (at->is_directory(ignored)) {
      names.push_back(at->path().filename().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_named(const std::vector<Manifest>& manifests, const std::string& name, const std::string& version) {
  return std::any_of(manifests.begin(), manifests.end(), [&](const Manifest& manifest) {
    return manifest.name == name &&
           std::any_of(manifest.versions.begin(), manifest.versions.end(),
                       [&](const VersionEntry& entry) { return entry.version == version; });
  });
}

}  // namespace

std::vector<Leftover> leftovers(const Places& places, const std::vector<Manifest>& manifests) {
  const fs::path parent = fs::path(places.cache) / "frameworks";
  std::vector<Leftover> found;
  for (const std::string& name : folders_in(parent)) {
    for (const std::string& version : folders_in(parent / name)) {
      if (is_framework_name(name) && is_version_name(version) && !is_named(manifests, name, version)) {
        found.push_back({name, version, content_of((parent / name / version).string()).bytes});
      }
    }
  }
  return found;
}

bool uninstall(const Places& places, const std::string& name, const std::string& version, const Log& log) {
  // They become parts of a path that is removed.
  if (!is_framework_name(name) || !is_version_name(version)) {
    throw base::UserError(fmt::format("'{}@{}' is not a framework and its version", name, version));
  }
  const Folder folder = folder_of(places, name, version);
  std::error_code error;
  if (!fs::exists(folder.root, error) && !fs::exists(folder.why_not, error)) {
    return false;
  }
  const FileLock lock(folder.lock, [&] { log("waiting for those that install or use it"); });
  // Tools of an installer that was killed may still write to the folder.
  process::sweep();
  // The stamp first: whatever happens next, nobody takes the rest for complete.
  fs::remove(folder.ready, error);
  fs::remove_all(folder.root, error);
  if (error) {
    throw base::UserError(fmt::format("cannot remove {}: {}", folder.root, error.message()), folder.root);
  }
  fs::remove(folder.why_not, error);
  return true;
}

}  // namespace dlbench::frameworks
