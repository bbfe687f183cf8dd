// docs/ops.md says what the table says. With DLBENCH_UPDATE_GOLDEN=1 in the environment it is written.
#include "model/op_document.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/text_file.hpp"

namespace dlbench::model {
namespace {

TEST(OpDocument, IsThePageInTheDocumentation) {
  const std::string path = DLBENCH_SOURCE_DIR "/docs/ops.md";
  if (std::getenv("DLBENCH_UPDATE_GOLDEN") != nullptr) {
    base::write_text_file(path, op_document());
    GTEST_SKIP() << "wrote " << path;
  }
  EXPECT_EQ(op_document(), base::read_text_file(path, 1U << 20U)) << "update with DLBENCH_UPDATE_GOLDEN=1";
}

}  // namespace
}  // namespace dlbench::model
