// Which dlbench this is; stored with every study.
#pragma once

#include <string>

namespace dlbench::app {

struct BuildInfo {
  std::string version;
  std::string commit;  // "" when built outside git
  bool dirty = false;  // built from a tree with uncommitted changes
  std::string build_type;
  std::string sanitize;  // "" : none
  std::string compiler;
  // Fit to measure: an optimised build without sanitizers.
  [[nodiscard]] bool fit() const { return build_type == "Release" && sanitize.empty(); }
};

[[nodiscard]] BuildInfo build_info();

}  // namespace dlbench::app
