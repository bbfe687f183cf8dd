#include "data/idx.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "data/content.hpp"
#include "idx_files.hpp"

namespace dlbench::data {
namespace {

using testing::bytes_of;
using ::testing::ElementsAre;
using testing::gzip;
using ::testing::HasSubstr;
using testing::idx_bytes;
using testing::TemporaryFolder;
using testing::write_file;

std::string refusal(const std::string& bytes) {
  try {
    static_cast<void>(parse_idx(bytes_of(bytes), "some.file"));
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("some.file"));
    EXPECT_EQ(error.where(), "some.file");
    return error.what();
  }
  return "accepted";
}

std::string file_refusal(const std::string& path) {
  try {
    static_cast<void>(read_idx_file(path));
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr(path));
    return error.what();
  }
  return "accepted";
}

TEST(ParseIdx, ReadsExtentsBigEndianAndBytesAsTheyAre) {
  const IdxArray array =
      parse_idx(bytes_of(idx_bytes({2, 3}, std::string("\x00\x01\x7f\x80\xfe\xff", 6))), "x");
  EXPECT_THAT(array.dims, ElementsAre(2, 3));
  EXPECT_THAT(array.values, ElementsAre(0, 1, 127, 128, 254, 255));
  EXPECT_THAT(parse_idx(bytes_of(idx_bytes({258}, std::string(258, 'a'))), "x").dims, ElementsAre(258));
}

TEST(ParseIdx, RefusesShortHeaders) {
  EXPECT_THAT(refusal(""), HasSubstr("too short"));
  EXPECT_THAT(refusal(std::string("\0\0\x08", 3)), HasSubstr("too short"));
  EXPECT_THAT(refusal(std::string("\0\0\x08\x03\0\0\0\x01", 8)), HasSubstr("too short"));
}

TEST(ParseIdx, RefusesWrongMagicTypeAndRank) {
  EXPECT_THAT(refusal("PK\x03\x04 and so on"), HasSubstr("magic"));
  EXPECT_THAT(refusal(idx_bytes({1}, "a", '\x0d')), HasSubstr("element type 0x0d"));
  EXPECT_THAT(refusal(idx_bytes({}, "")), HasSubstr("0 dimensions"));
  EXPECT_THAT(refusal(idx_bytes({1, 1, 1, 1, 1}, "a")), HasSubstr("5 dimensions"));
}

TEST(ParseIdx, RefusesDataOfAnotherLength) {
  EXPECT_THAT(refusal(idx_bytes({2, 3}, "12345")), HasSubstr("too short"));
  EXPECT_THAT(refusal(idx_bytes({2, 3}, "1234567")), HasSubstr("extra bytes"));
  EXPECT_THAT(refusal(idx_bytes({0, 3}, "")), HasSubstr("no elements"));
}

// 65536⁴ = 2⁶⁴ wraps to 0 in 64 bits, so a product checked after the fact would accept an empty file.
TEST(ParseIdx, RefusesExtentsWhoseProductOverflows) {
  EXPECT_THAT(refusal(idx_bytes({65536, 65536, 65536, 65536}, "")),
              HasSubstr("more than 2147483648 elements"));
  EXPECT_THAT(refusal(idx_bytes({0xFFFFFFFFU, 0xFFFFFFFFU, 0xFFFFFFFFU, 0xFFFFFFFFU}, "")),
              HasSubstr("more than"));
  EXPECT_THAT(refusal(idx_bytes({0x80000001U}, "")), HasSubstr("more than"));
  // 2³¹ itself is legal, only not present here.
  EXPECT_THAT(refusal(idx_bytes({0x80000000U}, "")), HasSubstr("too short"));
}

TEST(ReadIdxFile, ReadsPlainAndGzippedFilesAlike) {
  const TemporaryFolder folder;
  const std::string bytes = idx_bytes({3}, "abc");
  write_file(folder.file("plain"), bytes);
  write_file(folder.file("zipped"), gzip(bytes));
  write_file(folder.file("members"), gzip(bytes.substr(0, 5)) + gzip(bytes.substr(5)));
  for (const char* name : {"plain", "zipped", "members"}) {
    EXPECT_THAT(read_idx_file(folder.file(name)).values, ElementsAre('a', 'b', 'c')) << name;
  }
}

TEST(ReadIdxFile, RefusesWhatIsNoFile) {
  const TemporaryFolder folder;
  EXPECT_THAT(file_refusal(folder.file("absent")), HasSubstr("No such file"));
  EXPECT_THAT(file_refusal(folder.path()), HasSubstr("not a regular file"));
  write_file(folder.file("empty"), "");
  EXPECT_THAT(file_refusal(folder.file("empty")), HasSubstr("too short"));
}

TEST(ReadIdxFile, RefusesDamagedGzipData) {
  const TemporaryFolder folder;
  const std::string good = gzip(idx_bytes({1000}, std::string(1000, 'q')));
  // Every proper prefix is refused, whether it ends in the header, the data or the checksum.
  for (std::size_t length = 2; length < good.size(); ++length) {
    write_file(folder.file("short"), good.substr(0, length));
    EXPECT_THAT(file_refusal(folder.file("short")), HasSubstr("too early")) << length;
  }
  std::string bad_checksum = good;
  bad_checksum[good.size() - 8] = static_cast<char>(bad_checksum[good.size() - 8] ^ 1);
  write_file(folder.file("checksum"), bad_checksum);
  EXPECT_THAT(file_refusal(folder.file("checksum")), HasSubstr("corrupt gzip data"));
  write_file(folder.file("method"), "\x1f\x8b\x07 this is not deflate data");
  EXPECT_THAT(file_refusal(folder.file("method")), HasSubstr("corrupt gzip data"));
  write_file(folder.file("trailing"), good + "xyz");
  EXPECT_THAT(file_refusal(folder.file("trailing")), HasSubstr("3 extra bytes after the gzip data"));
}

TEST(InflateGzip, StopsAtItsLimitHoweverWellTheDataCompress) {
  const Bytes bomb = bytes_of(gzip(std::string(std::size_t{1} << 24U, '\0')));
  EXPECT_LT(bomb.size(), std::size_t{1} << 16U);
  EXPECT_EQ(inflate_gzip(bomb, std::size_t{1} << 24U, "bomb").size(), std::size_t{1} << 24U);
  EXPECT_THROW(static_cast<void>(inflate_gzip(bomb, (std::size_t{1} << 24U) - 1, "bomb")), base::UserError);
  EXPECT_THROW(static_cast<void>(inflate_gzip(bytes_of("plain"), 10, "plain")), base::UserError);
}

TEST(ReadBoundedFile, RefusesALargerFile) {
  const TemporaryFolder folder;
  write_file(folder.file("five"), "12345");
  EXPECT_EQ(read_bounded_file(folder.file("five"), 5), bytes_of("12345"));
  EXPECT_THROW(static_cast<void>(read_bounded_file(folder.file("five"), 4)), base::UserError);
}

}  // namespace
}  // namespace dlbench::data
