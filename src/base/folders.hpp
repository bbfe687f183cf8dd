// Making folders.
#pragma once

#include <string>

namespace dlbench::base {

// With its parents; nothing when it is there. Throws UserError, with this hint, when it cannot be made.
void make_folders(const std::string& path, const std::string& hint = {});

}  // namespace dlbench::base
