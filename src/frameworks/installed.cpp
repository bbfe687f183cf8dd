// What is there: read from the stamp and the files beside it, never by running something.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/text_file.hpp"
#include "frameworks/digest.hpp"
#include "frameworks/file_lock.hpp"
#include "frameworks/folder.hpp"
#include "frameworks/frameworks.hpp"
#include "frameworks/start.hpp"

namespace dlbench::frameworks {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_why_not_bytes = std::size_t{64} << 10U;
constexpr std::size_t max_outside_bytes = std::size_t{64} << 10U;
constexpr std::size_t max_description_bytes = std::size_t{4} << 20U;

// The command that installs this version; the default one needs no number.
std::string command_for(const Manifest& manifest, const VersionEntry& entry) {
  const bool is_default = entry.version == manifest.versions.front().version;
  return fmt::format("dlbench install {}{}", manifest.name, is_default ? "" : "@" + entry.version);
}

// Why there is no stamp.
Installed unfinished(const Folder& folder, const std::string& command) {
  Installed result;
  result.state = State::broken;
  std::error_code error;
  if (fs::is_regular_file(folder.why_not, error)) {
    result.why_not = base::read_text_file(folder.why_not, max_why_not_bytes);
  } else if (fs::exists(folder.root, error)) {
    result.why_not = "an installation was broken off, or is running now; repeat: " + command;
  } else {
    result.state = State::absent;
    result.why_not = "not installed; get it with: " + command;
  }
  return result;
}

// A framework that the user has elsewhere is no file of the runner's: `prepare` wrote what it found.
std::string with_outside(const std::string& digest, const Folder& folder) {
  std::error_code error;
  return fs::is_regular_file(folder.outside, error)
             ? base::hash_hex(digest + base::read_text_file(folder.outside, max_outside_bytes))
             : digest;
}

// Why an environment with a stamp cannot be used all the same; "" when it can.
std::string obstacle(const Start& start, const Folder& folder, bool is_current) {
  if (!is_current) {
    return "runner, lock file or SDK changed since it was installed";
  }
  std::error_code error;
  if (!fs::is_regular_file(folder.description, error)) {
    return fmt::format("it is damaged: {} is gone", folder.description);
  }
  // An interpreter that was removed from the machine leaves a link that leads nowhere.
  const std::string& program = start.command.front();
  return access(program.c_str(), X_OK) == 0 ? "" : fmt::format("it is damaged: {} is gone", program);
}

}  // namespace

Installed installed(const Places& places, const Manifest& manifest, const std::string& version) {
  const VersionEntry& entry = version_entry(manifest, version);
  const Folder folder = folder_of(places, manifest.name, entry.version);
  const std::string command = command_for(manifest, entry);
  const auto stamp = read_stamp(folder.ready);
  Installed result;
  if (!stamp) {
    result = unfinished(folder, command);
  }
  result.version = entry.version;
  result.folder = folder.env;
  result.digest = full_digest(places, manifest, entry);
  if (!stamp) {
    return result;
  }
  result.bytes = stamp->bytes;
  if (const auto interpreter = read_interpreter(folder)) {
    result.interpreter = interpreter->version;
  }
  const std::string reason =
      obstacle(start_of(places, manifest, entry, 1), folder, stamp->digest == result.digest);
  result.state = reason.empty() ? State::ready : State::broken;
  result.digest = with_outside(result.digest, folder);
  if (reason.empty()) {
    result.description_json = base::read_text_file(folder.description, max_description_bytes);
  } else {
    result.why_not = reason + "; repeat: " + command;
  }
  return result;
}

Installed use(const Places& places, const Manifest& manifest, const std::string& version) {
  const Folder folder = folder_of(places, manifest.name, version_entry(manifest, version).version);
  if (!read_stamp(folder.ready)) {
    return installed(places, manifest, version);
  }
  auto lock = FileLock::shared(folder.lock);
  Installed result = installed(places, manifest, version);
  if (!lock) {
    result.state = State::broken;
    result.why_not = "it is being installed or removed now; ask again when that has ended";
  } else if (result.state == State::ready) {
    result.held = std::make_shared<FileLock>(*std::move(lock));
  }
  return result;
}

std::optional<std::string> damage_of(const Places& places, const Manifest& manifest,
                                     const Installed& installed) {
  const VersionEntry& entry = version_entry(manifest, installed.version);
  const Folder folder = folder_of(places, manifest.name, entry.version);
  const auto stamp = read_stamp(folder.ready);
  const auto gone = stamp ? damage(folder, *stamp) : std::nullopt;
  return gone ? std::optional(*gone + "; repeat: " + command_for(manifest, entry)) : std::nullopt;
}

}  // namespace dlbench::frameworks
