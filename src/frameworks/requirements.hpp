// What a version needs of the machine before anything of it can be installed.
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "frameworks/frameworks.hpp"
#include "frameworks/interpreter.hpp"

namespace dlbench::frameworks {

// The interpreter to use; nullopt: the version needs none. The error says what the machine lacks, with the
// command or the file that mends it: Debian packages, what the runner's own `prepare_lacking` misses, or an
// interpreter. Nothing is changed.
[[nodiscard]] tl::expected<std::optional<Interpreter>, std::string> required(const Manifest& manifest,
                                                                             const VersionEntry& entry,
                                                                             Interpreters& interpreters);

}  // namespace dlbench::frameworks
