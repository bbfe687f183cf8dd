// What is there: read from the stamp and the files beside it, never by running something.
#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "base/error.hpp"
#include "base/text_file.hpp"
#include "frameworks/digest.hpp"
#include "frameworks/file_lock.hpp"
#include "frameworks/folder.hpp"
#include "frameworks/frameworks.hpp"

namespace dlbench::frameworks {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_why_not_bytes = std::size_t{64} << 10U;
constexpr std::size_t max_description_bytes = std::size_t{4} << 20U;

std::string reason(const std::string& install_command, const Folder& folder) {
  std::error_code error;
  if (fs::is_regular_file(folder.why_not, error)) {
    return base::read_text_file(folder.why_not, max_why_not_bytes);
  }
  if (fs::exists(folder.root, error)) {
    return "an installation was broken off, or is running now; repeat: " + install_command;
  }
  return "not installed; get it with: " + install_command;
}

// The command that installs this version; the default one needs no number.
std::string command_for(const Manifest& manifest, const VersionEntry& entry) {
  const bool is_default = entry.version == manifest.versions.front().version;
  return fmt::format("dlbench install {}{}", manifest.name, is_default ? "" : "@" + entry.version);
}

}  // namespace

Installed installed(const Places& places, const Manifest& manifest, const std::string& version) {
  const VersionEntry& entry = version_entry(manifest, version);
  const Folder folder = folder_of(places, manifest, entry);
  const std::string install_command = command_for(manifest, entry);
  Installed result;
  result.version = entry.version;
  result.folder = folder.env;
  result.digest = full_digest(places, manifest, entry);
  const auto stamp = read_stamp(folder);
  std::error_code error;
  if (!stamp) {
    const bool is_absent = !fs::exists(folder.root, error) && !fs::exists(folder.why_not, error);
    result.state = is_absent ? State::absent : State::broken;
    result.why_not = reason(install_command, folder);
    return result;
  }
  result.bytes = stamp->bytes;
  if (stamp->digest != result.digest) {
    result.state = State::broken;
    result.why_not = "runner, lock file or SDK changed since it was installed; repeat: " + install_command;
    return result;
  }
  result.description_json = base::read_text_file(folder.description, max_description_bytes);
  result.state = State::ready;
  return result;
}

void uninstall(const Places& places, const Manifest& manifest, const std::string& version) {
  const Folder folder = folder_of(places, manifest, version_entry(manifest, version));
  std::error_code error;
  if (!fs::exists(folder.root, error) && !fs::exists(folder.why_not, error)) {
    return;
  }
  const FileLock lock(folder.lock, [] {});
  // The stamp first: whatever happens next, nobody takes the rest for complete.
  fs::remove(folder.ready, error);
  fs::remove_all(folder.root, error);
  if (error) {
    throw base::UserError(fmt::format("cannot remove {}: {}", folder.root, error.message()), folder.root);
  }
  fs::remove(folder.why_not, error);
}

}  // namespace dlbench::frameworks
