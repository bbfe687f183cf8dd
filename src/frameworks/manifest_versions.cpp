#include "frameworks/manifest_versions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "frameworks/names.hpp"
#include "frameworks/version_range.hpp"

namespace dlbench::frameworks {

namespace {

namespace fs = std::filesystem;

const std::vector<std::string> start_placeholders{"env", "runner", "sdk", "python"};
const std::vector<std::string> environment_placeholders{"env", "compiled", "runner", "sdk", "threads"};

std::vector<std::string> read_start(const ManifestReader& reader, const YAML::Node& node) {
  std::vector<std::string> start = reader.texts(node);
  if (start.empty()) {
    reader.fail(node, "'start' is empty", "list the program and its arguments");
  }
  for (std::size_t i = 0; i < start.size(); ++i) {
    reader.check_placeholders(node[i], start[i], start_placeholders);
  }
  if (start.front().front() != '/' && start.front().front() != '{') {
    reader.fail(node[0], fmt::format("the program '{}' is not a path", start.front()),
                "begin it with {env}, {runner}, {python} or /");
  }
  return start;
}

void add_packages(const ManifestReader& reader, const YAML::Node& node, std::vector<std::string>& packages) {
  const std::vector<std::string> names = reader.texts(node);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_package_name(names[i])) {
      reader.fail(node[i], fmt::format("'{}' is not the name of a Debian package", names[i]));
    }
    if (std::find(packages.begin(), packages.end(), names[i]) == packages.end()) {
      packages.push_back(names[i]);
    }
  }
}

// Merges the variables of map[key] over `environment`.
void read_environment(const ManifestReader& reader, const YAML::Node& map, const std::string& key,
                      std::map<std::string, std::string>& environment) {
  const YAML::Node node = map[key];
  if (!node) {
    return;
  }
  if (!node.IsMap()) {
    reader.fail(node, fmt::format("'{}' must be 'NAME: value' lines", key));
  }
  std::set<std::string> seen;
  for (const auto& entry : node) {
    const std::string name = reader.text(entry.first);
    if (!is_variable_name(name)) {
      reader.fail(entry.first, fmt::format("'{}' is not the name of an environment variable", name));
    }
    const std::string value = reader.text(entry.second);
    reader.check_placeholders(entry.second, value, environment_placeholders);
    if (!seen.insert(name).second) {
      reader.fail(entry.first, fmt::format("variable '{}' appears twice", name));
    }
    environment.insert_or_assign(name, value);
  }
}

std::string read_python_range(const ManifestReader& reader, const YAML::Node& node) {
  std::string range = reader.text(node);
  if (!parse_range(range)) {
    reader.fail(node, fmt::format("'{}' is not a range of versions", range),
                "write it like \">=3.11,<3.14\"");
  }
  return range;
}

// What `map` says goes over what `entry` holds: packages are added, variables merged, the rest replaced.
void read_shared(const ManifestReader& reader, const YAML::Node& map, VersionEntry& entry) {
  if (const YAML::Node node = map["title"]) {
    entry.title = reader.text(node);
  }
  if (const YAML::Node node = map["start"]) {
    entry.start = read_start(reader, node);
  }
  if (const YAML::Node node = map["python"]) {
    entry.python_range = read_python_range(reader, node);
  }
  if (const YAML::Node node = map["system_packages"]) {
    add_packages(reader, node, entry.system_packages);
  }
  read_environment(reader, map, "environment", entry.environment);
  read_environment(reader, map, "gate_environment", entry.gate_environment);
}

std::string read_lock(const ManifestReader& reader, const YAML::Node& node, const fs::path& folder) {
  std::string lock = reader.text(node);
  if (!is_plain_file_name(lock)) {
    reader.fail(node, fmt::format("the lock file '{}' must lie beside the manifest", lock));
  }
  if (!fs::is_regular_file(folder / lock)) {
    reader.fail(node, fmt::format("there is no lock file '{}'", lock));
  }
  return lock;
}

// An interpreter is needed to run a runner in Python and to unpack a lock file's packages, whatever the
// runner is written in.
void check_python(const ManifestReader& reader, const YAML::Node& node, const std::string& language,
                  VersionEntry& entry) {
  const bool needs_python = language == "python" || !entry.lock.empty();
  if (needs_python && entry.python_range.empty()) {
    reader.fail(node, "'python' is missing", "give the range of interpreters: python: \">=3.11,<3.14\"");
  }
  if (!needs_python && node["python"]) {
    reader.fail(node["python"], "'python' is for runners in Python and for versions with a lock file");
  }
  if (!needs_python) {
    entry.python_range.clear();
  }
}

VersionEntry read_version(const ManifestReader& reader, const YAML::Node& node, const VersionEntry& shared,
                          const std::string& language, const fs::path& folder) {
  std::vector<std::string> known{"version", "lock"};
  known.insert(known.end(), shared_keys().begin(), shared_keys().end());
  reader.check_keys(node, known);
  VersionEntry entry = shared;
  const YAML::Node version = reader.require(node, "version");
  entry.version = reader.text(version);
  if (!is_version_name(entry.version)) {
    reader.fail(version, fmt::format("'{}' is not a version", entry.version),
                "use letters, digits, '.', '+', '-', '_'");
  }
  if (const YAML::Node lock = node["lock"]) {
    entry.lock = read_lock(reader, lock, folder);
  }
  read_shared(reader, node, entry);
  if (entry.start.empty()) {
    reader.fail(node, "'start' is missing", "give it for this version or for all");
  }
  check_python(reader, node, language, entry);
  return entry;
}

}  // namespace

const std::vector<std::string>& shared_keys() {
  static const std::vector<std::string> keys{"title",           "start",       "python",
                                             "system_packages", "environment", "gate_environment"};
  return keys;
}

std::vector<VersionEntry> read_versions(const ManifestReader& reader, const YAML::Node& root,
                                        const std::string& language, const std::string& folder) {
  VersionEntry shared;
  read_shared(reader, root, shared);
  const YAML::Node node = reader.require(root, "versions");
  if (!node.IsSequence() || node.size() == 0) {
    reader.fail(node, "'versions' needs at least one entry", "for example: - version: 1.0");
  }
  std::vector<VersionEntry> versions;
  for (const YAML::Node& entry : node) {
    versions.push_back(read_version(reader, entry, shared, language, folder));
    const auto same = [&](const VersionEntry& other) { return other.version == versions.back().version; };
    if (std::any_of(versions.begin(), versions.end() - 1, same)) {
      reader.fail(entry, fmt::format("version '{}' appears twice", versions.back().version));
    }
  }
  const bool uses_python = std::any_of(versions.begin(), versions.end(),
                                       [](const VersionEntry& entry) { return !entry.python_range.empty(); });
  if (root["python"] && !uses_python) {
    reader.fail(root["python"], "'python' is for runners in Python and for versions with a lock file");
  }
  return versions;
}

}  // namespace dlbench::frameworks
