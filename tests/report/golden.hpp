// Expected outputs in tests/golden. With DLBENCH_UPDATE_GOLDEN=1 in the environment the files are written
// instead of compared; read the difference before it is committed.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/text_file.hpp"

namespace dlbench::report {

inline void expect_golden(const std::string& name, const std::string& actual) {
  const std::string path = std::string(DLBENCH_SOURCE_DIR) + "/tests/golden/" + name;
  if (std::getenv("DLBENCH_UPDATE_GOLDEN") != nullptr) {
    base::write_text_file(path, actual);
    GTEST_SKIP() << "wrote " << path;
  }
  EXPECT_EQ(actual, base::read_text_file(path, 4U << 20U)) << "update with DLBENCH_UPDATE_GOLDEN=1";
}

}  // namespace dlbench::report
