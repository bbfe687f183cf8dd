// What an installed environment was made from, as hashes: tells when it is stale and becomes part of
// certificates' keys.
#pragma once

#include <set>
#include <string>

#include "frameworks/frameworks.hpp"

namespace dlbench::frameworks {

// Name and content of every file below `folder`, in path order; caches of interpreters, README files and the
// paths in `without` do not count. Throws base::UserError when something cannot be read.
[[nodiscard]] std::string hash_folder(const std::string& folder, const std::set<std::string>& without = {});

// Everything but the machine: what the manifest says for this version, its lock file, runner sources, the SDK
// of its language.
[[nodiscard]] std::string full_digest(const Places& places, const Manifest& manifest,
                                      const VersionEntry& entry);

// Only what the downloaded part depends on: lock file, prepare script, range of interpreters, version.
[[nodiscard]] std::string environment_digest(const Manifest& manifest, const VersionEntry& entry);

}  // namespace dlbench::frameworks
