#include "base/text_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <limits>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/parallel.hpp"

namespace dlbench::base {
namespace {

class TextFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "dlbench-text-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

TEST_F(TextFile, ReadsWhatItWrote) {
  const std::string content("a\0b\r\n", 5);
  write_text_file(path("x"), "old");
  write_text_file(path("x"), content);
  EXPECT_EQ(read_text_file(path("x"), 5), content);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1)
      << "a temporary file was left";
}

// Each writes a temporary file of its own and renames it: the reader sees one or the other.
TEST_F(TextFile, TwoThreadsMayWriteTheSameFile) {
  const std::string content(std::size_t{1} << 20U, 'x');
  for_each_index(40, 2, [&](std::size_t, std::size_t) { write_text_file(path("x"), content); });
  EXPECT_EQ(read_text_file(path("x"), content.size()), content);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

TEST_F(TextFile, RefusesMoreThanTheLimit) {
  write_text_file(path("x"), "123456");
  EXPECT_THROW((void)read_text_file(path("x"), 5), UserError);
}

// A limit is a bound, not a buffer: the largest one costs no more than the file.
TEST_F(TextFile, TheLimitTakesNoMemory) {
  write_text_file(path("x"), "123456");
  EXPECT_EQ(read_text_file(path("x"), std::numeric_limits<std::size_t>::max()), "123456");
}

// Longer than what is read at once: 1 MiB and one byte.
TEST_F(TextFile, ReadsInSeveralBlocks) {
  const std::string content = std::string(std::size_t{1} << 20U, 'a') + "b";
  write_text_file(path("x"), content);
  EXPECT_EQ(read_text_file(path("x"), content.size()), content);
  EXPECT_THROW((void)read_text_file(path("x"), content.size() - 1), UserError);
}

TEST_F(TextFile, NamesTheMissingFileAndTheReason) {
  try {
    (void)read_text_file(path("none"), 5);
    FAIL() << "no error";
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos) << error.what();
    EXPECT_EQ(error.where(), path("none"));
  }
}

TEST_F(TextFile, ReportsAFolderThatCannotBeWritten) {
  EXPECT_THROW(write_text_file(path("no/such/folder"), "x"), UserError);
}

TEST_F(TextFile, AFolderIsNoTextFile) {
  EXPECT_THROW((void)read_text_file(folder_.string(), 5), UserError);
}

TEST_F(TextFile, HashOfAFileIsTheHashOfItsContent) {
  const std::string content(3'000'000, 'q');  // more than one read
  write_text_file(path("big"), content);
  EXPECT_EQ(hash_file(path("big")), hash_hex(content));
  EXPECT_THROW((void)hash_file(path("none")), UserError);
}

// XXH3's 128-bit hash of the empty input, as its specification prints it.
TEST(Hash, GivesThePublishedAnswer) {
  EXPECT_EQ(hash_hex(std::string_view{}), "99aa06d3014798d86001c324468d497f");
  EXPECT_NE(hash_hex("a"), hash_hex("b"));
}

}  // namespace
}  // namespace dlbench::base
