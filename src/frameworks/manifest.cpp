// Reads runners/<name>/manifest.yaml strictly: every key is known, every value has its type, every path stays
// inside.
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "base/text_file.hpp"
#include "frameworks/frameworks.hpp"
#include "frameworks/manifest_reader.hpp"
#include "frameworks/manifest_versions.hpp"
#include "frameworks/names.hpp"

namespace dlbench::frameworks {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_manifest_bytes = std::size_t{64} << 10U;
const std::vector<std::string> known_languages{"c++", "python", "lua"};

std::string read_language(const ManifestReader& reader, const YAML::Node& node) {
  std::string language = reader.text(node);
  if (std::find(known_languages.begin(), known_languages.end(), language) == known_languages.end()) {
    reader.fail(node, fmt::format("unknown language '{}'", language),
                base::nearest_hint(language, known_languages));
  }
  return language;
}

std::string read_name(const ManifestReader& reader, const YAML::Node& node, const fs::path& folder) {
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

Manifest read_root(const ManifestReader& reader, const YAML::Node& root, const fs::path& folder) {
  std::vector<std::string> known{"name", "language", "reference", "trains", "native", "versions"};
  known.insert(known.end(), shared_keys().begin(), shared_keys().end());
  reader.check_keys(root, known);
  Manifest manifest;
  manifest.folder = folder.string();
  manifest.name = read_name(reader, reader.require(root, "name"), folder);
  manifest.title = reader.text(reader.require(root, "title"));
  manifest.language = read_language(reader, reader.require(root, "language"));
  if (const YAML::Node node = root["reference"]) {
    manifest.is_reference = reader.flag(node);
  }
  if (const YAML::Node node = root["trains"]) {
    manifest.trains = reader.flag(node);
  }
  if (const YAML::Node node = root["native"]) {
    manifest.is_native = reader.flag(node);
  }
  manifest.versions = read_versions(reader, root, manifest.language, manifest.folder);
  return manifest;
}

// The folders with a manifest, sorted.
std::vector<std::string> runner_names(const Places& places) {
  std::error_code error;
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(places.runners, error)) {
    const std::string name = entry.path().filename().string();
    if (is_framework_name(name) && fs::exists(entry.path() / "manifest.yaml")) {
      names.push_back(name);
    }
  }
  if (error) {
    throw base::UserError(fmt::format("cannot read the folder of runners: {}", error.message()),
                          places.runners, "set DLBENCH_RUNNERS to the project's folder runners");
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

Manifest read_manifest(const std::string& folder) {
  const fs::path absolute = fs::absolute(folder).lexically_normal();
  // A trailing slash would leave an empty file name.
  const fs::path clean = absolute.has_filename() ? absolute : absolute.parent_path();
  const std::string path = (clean / "manifest.yaml").string();
  const std::string content = base::read_text_file(path, max_manifest_bytes);
  const ManifestReader reader(path);
  try {
    return read_root(reader, YAML::Load(content), clean);
  } catch (const YAML::Exception& error) {
    throw base::UserError(error.msg, fmt::format("{}:{}", path, error.mark.line + 1));
  }
}

std::vector<Manifest> all_manifests(const Places& places) {
  std::vector<Manifest> manifests;
  for (const std::string& name : runner_names(places)) {
    manifests.push_back(read_manifest((fs::path(places.runners) / name).string()));
  }
  return manifests;
}

// Reads one manifest only: a mistake in another one must not keep this framework from being used.
Manifest find_manifest(const Places& places, const std::string& name) {
  const std::vector<std::string> names = runner_names(places);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw base::UserError(fmt::format("there is no framework '{}'", name), {},
                          base::nearest_hint(name, names));
  }
  return read_manifest((fs::path(places.runners) / name).string());
}

}  // namespace dlbench::frameworks
