// Fills an environment with exactly the packages of a lock file.
#pragma once

#include <string>
#include <tl/expected.hpp>

namespace dlbench::frameworks {

struct PipRun {
  std::string python;     // the environment's own
  std::string lock_path;  // every package with its version and hash
  std::string wheels;     // folder to take them from; "": where the user's pip configuration says
  std::string folder;     // working folder; the list of what comes first is written here
  std::string log_path;
};
// The packages that build others (pip, setuptools, wheel), when the lock file names them, are installed
// before the rest: the pip that comes with an old interpreter cannot read today's packages. Nothing is
// resolved, nothing without a hash gets in, and what is compiled sees only what the lock file put there.
[[nodiscard]] tl::expected<void, std::string> install_lock(const PipRun& run);

// The lines of a lock file for pip, setuptools and wheel, continued lines included; "" when there are none.
[[nodiscard]] std::string building_packages(const std::string& lock);

}  // namespace dlbench::frameworks
