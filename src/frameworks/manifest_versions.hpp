// The versions of a manifest: what is said for all of them, and what one of them says otherwise.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "frameworks/frameworks.hpp"
#include "frameworks/manifest_reader.hpp"

namespace dlbench::frameworks {

// The keys that a manifest may have for all versions and again for one: start, python, system_packages,
// environment, title.
[[nodiscard]] const std::vector<std::string>& shared_keys();

// `root`: the whole manifest; `language` and `folder` are known already. Throws base::UserError.
[[nodiscard]] std::vector<VersionEntry> read_versions(const ManifestReader& reader, const YAML::Node& root,
                                                      const std::string& language, const std::string& folder);

}  // namespace dlbench::frameworks
