// Installs, looks at and removes the made-up runners of a throw-away world.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "frameworks/frameworks.hpp"
#include "frameworks/runner_folder.hpp"

namespace dlbench::frameworks {

class InstallTest : public testing::Test {
 protected:
  Installed install_now(const std::string& name) {
    return install(world_.places(), world_.manifest(name), {},
                   [&](const std::string& line) { log_.push_back(line); });
  }
  bool uninstall_now(const std::string& version) {
    return uninstall(world_.places(), "fake", version, [](const std::string&) {});
  }
  Installed state_of(const std::string& name) { return installed(world_.places(), world_.manifest(name)); }
  [[nodiscard]] std::filesystem::path folder(const std::string& name) const {
    return std::filesystem::path(world_.places().cache) / "frameworks" / name / "1.0";
  }

  test::RunnerWorld world_;
  std::vector<std::string> log_;
};

}  // namespace dlbench::frameworks
