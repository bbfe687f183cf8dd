// Reads runners/<name>/manifest.yaml strictly: every key is known, every value has its type, every path stays
// inside.
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "base/text_file.hpp"
#include "frameworks/frameworks.hpp"
#include "frameworks/names.hpp"
#include "frameworks/placeholders.hpp"
#include "frameworks/version_range.hpp"

namespace dlbench::frameworks {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_manifest_bytes = std::size_t{64} << 10U;
const std::vector<std::string> known_languages{"c++", "python", "lua"};
const std::vector<std::string> start_placeholders{"env", "runner", "sdk", "python"};
const std::vector<std::string> environment_placeholders{"env", "runner", "sdk", "threads"};

// One file being read; every complaint carries its line.
class Reader {
 public:
  explicit Reader(std::string path) : path_(std::move(path)) {}

  [[noreturn]] void fail(const YAML::Node& node, const std::string& what,
                         const std::string& hint = {}) const {
    const int line = node.Mark().line;
    throw base::UserError(what, line >= 0 ? fmt::format("{}:{}", path_, line + 1) : path_, hint);
  }

  void check_keys(const YAML::Node& map, const std::vector<std::string>& known) const {
    if (!map.IsMap()) {
      fail(map, "expected 'key: value' lines");
    }
    std::set<std::string> seen;
    for (const auto& entry : map) {
      const std::string key = text(entry.first);
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        fail(entry.first, fmt::format("unknown key '{}'", key), base::nearest_hint(key, known));
      }
      if (!seen.insert(key).second) {
        fail(entry.first, fmt::format("key '{}' appears twice", key));
      }
    }
  }

  [[nodiscard]] std::string text(const YAML::Node& node) const {
    if (!node.IsScalar() || node.Scalar().empty()) {
      fail(node, "expected a text");
    }
    const std::string& value = node.Scalar();
    if (std::any_of(value.begin(), value.end(), [](unsigned char c) { return c < 0x20U; })) {
      fail(node, "a text must not contain control characters");
    }
    return value;
  }

  [[nodiscard]] YAML::Node require(const YAML::Node& map, const char* key) const {
    const YAML::Node node = map[key];
    if (!node) {
      fail(map, fmt::format("'{}' is missing", key));
    }
    return node;
  }

  [[nodiscard]] std::vector<std::string> texts(const YAML::Node& node) const {
    if (!node.IsSequence()) {
      fail(node, "expected a list");
    }
    std::vector<std::string> values;
    for (const YAML::Node& entry : node) {
      values.push_back(text(entry));
    }
    return values;
  }

  void check_placeholders(const YAML::Node& node, const std::string& value,
                          const std::vector<std::string>& known) const {
    if (const auto unknown = unknown_placeholder(value, known)) {
      fail(node, fmt::format("unknown placeholder '{{{}}}'", *unknown), base::nearest_hint(*unknown, known));
    }
  }

 private:
  std::string path_;
};

std::string read_language(const Reader& reader, const YAML::Node& node) {
  std::string language = reader.text(node);
  if (std::find(known_languages.begin(), known_languages.end(), language) == known_languages.end()) {
    reader.fail(node, fmt::format("unknown language '{}'", language),
                base::nearest_hint(language, known_languages));
  }
  return language;
}

std::string read_name(const Reader& reader, const YAML::Node& node, const fs::path& folder) {
  std::string name = reader.text(node);
  if (!is_framework_name(name)) {
    reader.fail(node, fmt::format("'{}' is not a name", name), "use lower-case letters, digits, '-' and '_'");
  }
  if (name != folder.filename().string()) {
    reader.fail(node,
                fmt::format("the name '{}' differs from its folder '{}'", name, folder.filename().string()));
  }
  return name;
}

std::vector<std::string> read_start(const Reader& reader, const YAML::Node& node) {
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

VersionEntry read_version(const Reader& reader, const YAML::Node& node, const fs::path& folder) {
  reader.check_keys(node, {"version", "lock"});
  const YAML::Node version = reader.require(node, "version");
  VersionEntry entry{reader.text(version), {}};
  if (!is_version_name(entry.version)) {
    reader.fail(version, fmt::format("'{}' is not a version", entry.version),
                "use letters, digits, '.', '+', '-', '_'");
  }
  if (const YAML::Node lock = node["lock"]) {
    entry.lock = reader.text(lock);
    if (!is_plain_file_name(entry.lock)) {
      reader.fail(lock, fmt::format("the lock file '{}' must lie beside the manifest", entry.lock));
    }
    if (!fs::is_regular_file(folder / entry.lock)) {
      reader.fail(lock, fmt::format("there is no lock file '{}'", entry.lock));
    }
  }
  return entry;
}

std::vector<VersionEntry> read_versions(const Reader& reader, const YAML::Node& node,
                                        const fs::path& folder) {
  if (!node.IsSequence() || node.size() == 0) {
    reader.fail(node, "'versions' needs at least one entry", "for example: - version: 1.0");
  }
  std::vector<VersionEntry> versions;
  for (const YAML::Node& entry : node) {
    versions.push_back(read_version(reader, entry, folder));
    const auto same = [&](const VersionEntry& other) { return other.version == versions.back().version; };
    if (std::any_of(versions.begin(), versions.end() - 1, same)) {
      reader.fail(entry, fmt::format("version '{}' appears twice", versions.back().version));
    }
  }
  return versions;
}

std::vector<std::string> read_packages(const Reader& reader, const YAML::Node& node) {
  std::vector<std::string> packages = reader.texts(node);
  for (std::size_t i = 0; i < packages.size(); ++i) {
    if (!is_package_name(packages[i])) {
      reader.fail(node[i], fmt::format("'{}' is not the name of a Debian package", packages[i]));
    }
  }
  return packages;
}

std::map<std::string, std::string> read_environment(const Reader& reader, const YAML::Node& node) {
  if (!node.IsMap()) {
    reader.fail(node, "'environment' must be 'NAME: value' lines");
  }
  std::map<std::string, std::string> environment;
  for (const auto& entry : node) {
    const std::string name = reader.text(entry.first);
    if (!is_variable_name(name)) {
      reader.fail(entry.first, fmt::format("'{}' is not the name of an environment variable", name));
    }
    const std::string value = reader.text(entry.second);
    reader.check_placeholders(entry.second, value, environment_placeholders);
    if (!environment.emplace(name, value).second) {
      reader.fail(entry.first, fmt::format("variable '{}' appears twice", name));
    }
  }
  return environment;
}

std::string read_python_range(const Reader& reader, const YAML::Node& node) {
  std::string range = reader.text(node);
  if (!parse_range(range)) {
    reader.fail(node, fmt::format("'{}' is not a range of versions", range),
                "write it like \">=3.11,<3.14\"");
  }
  return range;
}

bool read_flag(const Reader& reader, const YAML::Node& node) {
  const std::string value = reader.text(node);
  if (value != "true" && value != "false") {
    reader.fail(node, fmt::format("'{}' is neither true nor false", value));
  }
  return value == "true";
}

Manifest read_root(const Reader& reader, const YAML::Node& root, const fs::path& folder) {
  reader.check_keys(root, {"name", "title", "language", "reference", "start", "versions", "python",
                           "system_packages", "environment"});
  Manifest manifest;
  manifest.folder = folder.string();
  manifest.name = read_name(reader, reader.require(root, "name"), folder);
  manifest.title = reader.text(reader.require(root, "title"));
  manifest.language = read_language(reader, reader.require(root, "language"));
  manifest.start = read_start(reader, reader.require(root, "start"));
  manifest.versions = read_versions(reader, reader.require(root, "versions"), folder);
  if (const YAML::Node node = root["reference"]) {
    manifest.is_reference = read_flag(reader, node);
  }
  if (const YAML::Node node = root["system_packages"]) {
    manifest.system_packages = read_packages(reader, node);
  }
  if (const YAML::Node node = root["environment"]) {
    manifest.environment = read_environment(reader, node);
  }
  if (const YAML::Node node = root["python"]) {
    if (manifest.language != "python") {
      reader.fail(node, "'python' is for runners in Python");
    }
    manifest.python_range = read_python_range(reader, node);
  } else if (manifest.language == "python") {
    reader.fail(root, "'python' is missing", "give the range of interpreters: python: \">=3.11,<3.14\"");
  }
  return manifest;
}

}  // namespace

Manifest read_manifest(const std::string& folder) {
  const fs::path absolute = fs::absolute(folder).lexically_normal();
  // A trailing slash would leave an empty file name.
  const fs::path clean = absolute.has_filename() ? absolute : absolute.parent_path();
  const std::string path = (clean / "manifest.yaml").string();
  const std::string content = base::read_text_file(path, max_manifest_bytes);
  const Reader reader(path);
  try {
    return read_root(reader, YAML::Load(content), clean);
  } catch (const YAML::Exception& error) {
    throw base::UserError(error.msg, fmt::format("{}:{}", path, error.mark.line + 1));
  }
}

std::vector<Manifest> all_manifests(const Places& places) {
  std::error_code error;
  std::vector<std::string> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(places.runners, error)) {
    const std::string name = entry.path().filename().string();
    if (is_framework_name(name) && fs::exists(entry.path() / "manifest.yaml")) {
      folders.push_back(entry.path().string());
    }
  }
  if (error) {
    throw base::UserError(fmt::format("cannot read the folder of runners: {}", error.message()),
                          places.runners, "set DLBENCH_RUNNERS to the project's folder runners");
  }
  std::sort(folders.begin(), folders.end());
  std::vector<Manifest> manifests;
  manifests.reserve(folders.size());
  for (const std::string& folder : folders) {
    manifests.push_back(read_manifest(folder));
  }
  return manifests;
}

Manifest find_manifest(const Places& places, const std::string& name) {
  std::vector<std::string> names;
  for (Manifest& manifest : all_manifests(places)) {
    if (manifest.name == name) {
      return std::move(manifest);
    }
    names.push_back(manifest.name);
  }
  throw base::UserError(fmt::format("there is no framework '{}'", name), {}, base::nearest_hint(name, names));
}

}  // namespace dlbench::frameworks
