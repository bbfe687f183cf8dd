// The command line and environment of a runner, before and after its environment is ready.
#pragma once

#include <string>

#include "frameworks/folder.hpp"
#include "frameworks/frameworks.hpp"

namespace dlbench::frameworks {

[[nodiscard]] Start start_of(const Places& places, const Manifest& manifest, const VersionEntry& entry,
                             int threads, Purpose purpose = Purpose::measure);

// The interpreter of the environment made by venv.
[[nodiscard]] std::string virtual_python(const Folder& folder);

}  // namespace dlbench::frameworks
