// The command line and environment of a runner, before and after its environment is ready.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "frameworks/folder.hpp"
#include "frameworks/frameworks.hpp"

namespace dlbench::frameworks {

[[nodiscard]] Start start_of(const Places& places, const Manifest& manifest, const VersionEntry& entry,
                             const Folder& folder, const std::string& python, int threads);

// The interpreter that {python} means: the virtual environment's, or without a lock file one found on the
// machine; "" when the version needs none. The error says how to get one.
[[nodiscard]] tl::expected<std::string, std::string> python_of(const VersionEntry& entry,
                                                               const Folder& folder);

}  // namespace dlbench::frameworks
