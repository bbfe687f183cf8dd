#include "frameworks/digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "frameworks/folder.hpp"

namespace dlbench::frameworks {

namespace {

namespace fs = std::filesystem;

bool is_counted(const fs::path& relative, const std::set<std::string>& without) {
  const std::string name = relative.filename().string();
  if (name == "README.md" || name.ends_with(".pyc") || without.contains(relative.string())) {
    return false;
  }
  return std::none_of(relative.begin(), relative.end(),
                      [](const fs::path& part) { return part == "__pycache__"; });
}

std::string lock_hash(const Manifest& manifest, const VersionEntry& entry) {
  return entry.lock.empty() ? std::string("none")
                            : base::hash_file((fs::path(manifest.folder) / entry.lock).string());
}

// What the manifest says for this version. Its file and the lock files of other versions do not count: a new
// version must not make the others stale.
std::string version_text(const Manifest& manifest, const VersionEntry& entry) {
  std::string text =
      fmt::format("{}\n{}\n{}\n{}\n", manifest.name, manifest.language, entry.version, entry.python_range);
  for (const std::string& argument : entry.start) {
    text += fmt::format("start {}\n", argument);
  }
  for (const std::string& package : entry.system_packages) {
    text += fmt::format("package {}\n", package);
  }
  for (const auto& [name, value] : entry.environment) {
    text += fmt::format("variable {}={}\n", name, value);
  }
  for (const auto& [name, value] : entry.gate_environment) {
    text += fmt::format("gate variable {}={}\n", name, value);
  }
  return text;
}

std::set<std::string> files_of_versions(const Manifest& manifest) {
  std::set<std::string> names{"manifest.yaml"};
  for (const VersionEntry& entry : manifest.versions) {
    names.insert(entry.lock);
  }
  return names;
}

// The prepare script and what lies beside it under such a name, which is its to use.
std::string prepare_hash(const Manifest& manifest) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& file : fs::directory_iterator(manifest.folder)) {
    if (file.is_regular_file() && file.path().filename().string().starts_with("prepare")) {
      files.push_back(file.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::string text;
  for (const fs::path& file : files) {
    text += fmt::format("{} {}\n", file.filename().string(), base::hash_file(file.string()));
  }
  return base::hash_hex(text);
}

// A change of another language's SDK must not make a runner stale. All of them load the library.
std::string sdk_hash(const std::string& sdk, const std::string& language) {
  const bool is_compiled = language == "c++";
  std::string text = base::hash_file((fs::path(sdk) / "lib" / "libdlbench_runner.so").string());
  for (const std::string& part :
       is_compiled ? std::vector<std::string>{"cpp", "include", "lib"} : std::vector<std::string>{language}) {
    const fs::path folder = fs::path(sdk) / part;
    text += fs::exists(folder) ? hash_folder(folder.string()) : std::string("none");
  }
  return base::hash_hex(text);
}

}  // namespace

std::string hash_folder(const std::string& folder, const std::set<std::string>& without) {
  std::vector<fs::path> files;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(folder, error);
       !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at->is_regular_file() && is_counted(at->path().lexically_relative(folder), without)) {
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
  const std::string processor = manifest.is_native ? processor_name() + "\n" : std::string();
  return base::hash_hex(fmt::format(
      "{}{}{}\n{}\n{}\n", processor, version_text(manifest, entry), lock_hash(manifest, entry),
      hash_folder(manifest.folder, files_of_versions(manifest)), sdk_hash(places.sdk, manifest.language)));
}

std::string environment_digest(const Manifest& manifest, const VersionEntry& entry) {
  return base::hash_hex(fmt::format("{}\n{}\n{}\n{}\n{}\n", manifest.name, entry.version,
                                    lock_hash(manifest, entry), prepare_hash(manifest), entry.python_range));
}

}  // namespace dlbench::frameworks
