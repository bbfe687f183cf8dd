#include "data/dataset.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "base/error.hpp"
#include "idx_files.hpp"

namespace dlbench::data {
namespace {

using ::testing::ElementsAre;
using testing::gzip;
using ::testing::HasSubstr;
using testing::idx_bytes;
using testing::TemporaryFolder;
using testing::write_file;

constexpr const char* train_images = "train-images-idx3-ubyte.gz";
constexpr const char* train_labels = "train-labels-idx1-ubyte.gz";
constexpr const char* test_images = "t10k-images-idx3-ubyte.gz";
constexpr const char* test_labels = "t10k-labels-idx1-ubyte.gz";

// Three training and two test images of 1 x 2 pixels.
class SmallSet : public ::testing::Test {
 protected:
  void SetUp() override {
    put(train_images, idx_bytes({3, 1, 2}, std::string("\x00\x33\x66\x99\xcc\xff", 6)));
    put(train_labels, idx_bytes({3}, std::string("\x07\x00\x09", 3)));
    put(test_images, idx_bytes({2, 1, 2}, "abcd"));
    put(test_labels, idx_bytes({2}, std::string("\x01\x02", 2)));
  }
  void put(const std::string& name, const std::string& bytes) { write_file(folder_.file(name), gzip(bytes)); }
  [[nodiscard]] Dataset load() const { return load_dataset("fashion-mnist", folder_.path()); }
  [[nodiscard]] std::string refusal(const std::string& file) const {
    try {
      static_cast<void>(load());
    } catch (const base::UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr(folder_.file(file)));
      EXPECT_THAT(error.hint(), HasSubstr("apt-get install dataset-fashion-mnist"));
      return error.what();
    }
    return "accepted";
  }
  TemporaryFolder folder_;
};

TEST_F(SmallSet, LoadsBothSplits) {
  const Dataset dataset = load();
  EXPECT_EQ(dataset.name, "fashion-mnist");
  EXPECT_EQ(dataset.class_count, 10);
  EXPECT_EQ(dataset.train.count, 3);
  EXPECT_EQ(dataset.train.sample_elements(), 2);
  EXPECT_THAT(dataset.train.labels, ElementsAre(7, 0, 9));
  EXPECT_THAT(dataset.train.pixels, ElementsAre(0, 0x33, 0x66, 0x99, 0xcc, 0xff));
  EXPECT_EQ(dataset.test.count, 2);
  EXPECT_THAT(dataset.test.labels, ElementsAre(1, 2));
}

TEST_F(SmallSet, DigestFollowsContentNotPacking) {
  const std::string digest = load().digest;
  std::filesystem::remove(folder_.file(train_labels));
  write_file(folder_.file("train-labels-idx1-ubyte"), idx_bytes({3}, std::string("\x07\x00\x09", 3)));
  EXPECT_EQ(load().digest, digest);
  write_file(folder_.file("train-labels-idx1-ubyte"), idx_bytes({3}, std::string("\x07\x00\x08", 3)));
  EXPECT_NE(load().digest, digest);
}

TEST_F(SmallSet, RefusesAMissingFile) {
  std::filesystem::remove(folder_.file(test_labels));
  EXPECT_THAT(refusal(test_labels), HasSubstr("is missing"));
}

TEST_F(SmallSet, RefusesAMissingFolder) {
  try {
    static_cast<void>(load_dataset("fashion-mnist", folder_.file("nowhere")));
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("nowhere"));
    EXPECT_THAT(error.hint(), HasSubstr("apt-get install"));
  }
}

TEST_F(SmallSet, RefusesLabelsOutsideTheClasses) {
  put(test_labels, idx_bytes({2}, std::string("\x01\x0a", 2)));
  EXPECT_THAT(refusal(test_labels), HasSubstr("label 10 of sample 1 is not below 10"));
}

TEST_F(SmallSet, RefusesCountsThatDiffer) {
  put(train_labels, idx_bytes({2}, std::string("\x01\x02", 2)));
  EXPECT_THAT(refusal(train_labels), HasSubstr("has 2 labels"));
}

TEST_F(SmallSet, RefusesImagesOfAnotherRank) {
  put(train_images, idx_bytes({6}, "abcdef"));
  EXPECT_THAT(refusal(train_images), HasSubstr("1 dimensions, expected 3"));
}

TEST_F(SmallSet, RefusesSplitsOfDifferentImageSize) {
  put(test_images, idx_bytes({2, 2, 1}, "abcd"));
  try {
    static_cast<void>(load());
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("training images are 1 x 2, test images 2 x 1"));
  }
}

TEST_F(SmallSet, RefusesATruncatedFile) {
  const std::string whole = gzip(idx_bytes({2, 1, 2}, "abcd"));
  write_file(folder_.file(test_images), whole.substr(0, whole.size() - 3));
  EXPECT_THAT(refusal(test_images), HasSubstr("too early"));
}

TEST(KnownDatasets, NamesThemWhenTheNameIsUnknown) {
  try {
    static_cast<void>(load_dataset("fashion_mnist"));
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("fashion_mnist"));
    EXPECT_THAT(error.hint(), HasSubstr("fashion-mnist"));
  }
}

TEST_F(SmallSet, FillBatchGathersInTheGivenOrder) {
  const Dataset dataset = load();
  const std::vector<std::uint32_t> indices = {2, 0, 2};
  std::vector<float> input(7, -1.0F);
  std::vector<std::int64_t> target(4, -1);
  fill_pictures(dataset.train, indices.data(), 3, input.data(), target.data());
  // 0xcc = 204 = 0.8 * 255, 0x33 = 51 = 0.2 * 255. The last elements lie behind the batch.
  EXPECT_THAT(input, ElementsAre(0.8F, 1.0F, 0.0F, 0.2F, 0.8F, 1.0F, -1.0F));
  EXPECT_THAT(target, ElementsAre(9, 7, 9, -1));
}

TEST(FillBatch, DividesEveryPixelValueExactly) {
  SampleSet set;
  set.count = 256;
  set.shape = {1, 1, 1};
  std::vector<std::uint32_t> indices;
  for (std::uint32_t i = 0; i < 256; ++i) {
    set.pixels.push_back(static_cast<std::uint8_t>(i));
    set.labels.push_back(0);
    indices.push_back(i);
  }
  std::vector<float> input(256);
  std::vector<std::int64_t> target(256);
  fill_pictures(set, indices.data(), 256, input.data(), target.data());
  for (std::size_t i = 0; i < 256; ++i) {
    // Correct rounding: no neighbouring float is nearer to the quotient, computed in double.
    const double quotient = static_cast<double>(i) / 255.0;
    const double error = std::abs(static_cast<double>(input[i]) - quotient);
    const float above = std::nextafter(input[i], std::numeric_limits<float>::max());
    const float below = std::nextafter(input[i], -1.0F);
    EXPECT_LE(error, std::abs(static_cast<double>(above) - quotient)) << i;
    EXPECT_LE(error, std::abs(static_cast<double>(below) - quotient)) << i;
  }
}

TEST_F(SmallSet, FillBatchAssertsItsIndices) {
  const Dataset dataset = load();
  const std::uint32_t outside = 3;
  std::vector<float> input(2);
  std::vector<std::int64_t> target(1);
  EXPECT_THROW(fill_pictures(dataset.train, &outside, 1, input.data(), target.data()), base::Bug);
}

// From an independent implementation of Philox4x32-10 and Fisher-Yates in Python.
TEST(EpochOrder, HasKnownAnswers) {
  EXPECT_THAT(epoch_order(1, 0, 10), ElementsAre(0, 5, 6, 3, 4, 7, 8, 9, 2, 1));
  EXPECT_THAT(epoch_order(1, 1, 10), ElementsAre(8, 1, 2, 0, 7, 5, 4, 6, 9, 3));
  EXPECT_THAT(epoch_order(2, 0, 10), ElementsAre(7, 3, 1, 9, 2, 8, 5, 4, 6, 0));
  EXPECT_THAT(epoch_order(0xFFFFFFFF00000001ULL, 0, 10), ElementsAre(2, 7, 6, 4, 5, 9, 3, 1, 8, 0));
  const std::vector<std::uint32_t> large = epoch_order(1, 0, 60000);
  EXPECT_THAT(std::vector<std::uint32_t>(large.begin(), large.begin() + 6),
              ElementsAre(37393, 50213, 25693, 17221, 22218, 54093));
}

TEST(EpochOrder, VisitsEverySampleOnce) {
  EXPECT_TRUE(epoch_order(1, 0, 0).empty());
  EXPECT_THAT(epoch_order(1, 0, 1), ElementsAre(0));
  for (const std::uint32_t epoch : {0U, 1U, 4000000000U}) {
    std::vector<bool> seen(60000, false);
    for (const std::uint32_t index : epoch_order(7, epoch, 60000)) {
      ASSERT_LT(index, 60000U);
      EXPECT_FALSE(seen[index]);
      seen[index] = true;
    }
  }
}

}  // namespace
}  // namespace dlbench::data
