// The small parts: placeholders, ranges, interpreters, packages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "frameworks/interpreter.hpp"
#include "frameworks/packages.hpp"
#include "frameworks/placeholders.hpp"
#include "frameworks/runner_folder.hpp"
#include "frameworks/version_range.hpp"

namespace dlbench::frameworks {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(PlaceholdersTest, AreReplacedOnceAndOnlyWhenKnown) {
  const Placeholders values{{"a", "1"}, {"b", "{a}"}};
  EXPECT_EQ(expand("", values), "");
  EXPECT_EQ(expand("x{a}y{a}", values), "x1y1");
  EXPECT_EQ(expand("{b}", values), "{a}");
  EXPECT_EQ(expand("{c}{", values), "{c}{");
}

TEST(PlaceholdersTest, UnknownOnesAreFound) {
  EXPECT_EQ(unknown_placeholder("{a}/{b}", {"a", "b"}), std::nullopt);
  EXPECT_EQ(unknown_placeholder("{a}/{c}", {"a", "b"}), "c");
  EXPECT_EQ(unknown_placeholder("{a", {"a"}), "a");
  EXPECT_EQ(unknown_placeholder("{}", {"a"}), "");
}

TEST(VersionRangeTest, VersionsAreNumbersWithDots) {
  EXPECT_THAT(*parse_version("3.11.2"), ElementsAre(3, 11, 2));
  for (const char* text : {"", ".", "3.", "3..1", "a", "3.11rc1", "-3", "3.-1", "99999999999"}) {
    EXPECT_FALSE(parse_version(text)) << text;
  }
}

TEST(VersionRangeTest, ComparesByNumber) {
  EXPECT_LT(compare({3, 9}, {3, 11}), 0);
  EXPECT_EQ(compare({3, 11}, {3, 11, 0}), 0);
  EXPECT_GT(compare({3, 11, 1}, {3, 11}), 0);
}

TEST(VersionRangeTest, AllBoundsMustHold) {
  const auto range = parse_range(">=3.8, <3.12").value();
  EXPECT_FALSE(contains(range, {3, 7, 9}));
  EXPECT_TRUE(contains(range, {3, 8, 0}));
  EXPECT_TRUE(contains(range, {3, 11, 2}));
  EXPECT_FALSE(contains(range, {3, 12}));
  EXPECT_TRUE(contains(parse_range("==3.6").value(), {3, 6, 0}));
  EXPECT_FALSE(contains(parse_range(">3.6").value(), {3, 6, 0}));
  EXPECT_TRUE(contains(parse_range("<=3.6").value(), {3, 6, 0}));
  for (const char* text : {"", "3.6", ">=", ">=3.6,", "~=3.6"}) {
    EXPECT_FALSE(parse_range(text)) << text;
  }
}

class InterpreterTest : public testing::Test {
 protected:
  // A program that answers like a Python of this version.
  std::string fake(const std::string& path, const std::string& version) const {
    world_.write(path, "#!/bin/sh\necho " + version + "\n", true);
    return (world_.root() / path).string();
  }
  test::RunnerWorld world_;
};

TEST_F(InterpreterTest, FirstThatFits) {
  const std::string old = fake("a/python3.6", "3.6.15");
  const std::string good = fake("b/python3.9", "3.9.2");
  const std::string better = fake("c/python3.9", "3.9.9");
  const auto found = find_interpreter(">=3.8,<3.10", {old, good, better});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->path, good);
  EXPECT_EQ(found->version, "3.9.2");
}

TEST_F(InterpreterTest, WhatIsBrokenIsPassedOver) {
  world_.write("broken/python3.8", "#!/bin/sh\necho 3.8.1\nexit 1\n", true);
  const std::string good = fake("b/python3.8", "3.8.2");
  EXPECT_EQ(find_interpreter(">=3.8", {(world_.root() / "broken/python3.8").string(), good})->version,
            "3.8.2");
}

TEST_F(InterpreterTest, NoneSaysWhatWasSeenAndHowToGetOne) {
  const std::string old = fake("a/python3.9", "3.9.2");
  const auto found = find_interpreter(">=3.6,<3.7", {old});
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error(), HasSubstr("a/python3.9 (3.9.2)"));
  EXPECT_THAT(found.error(), HasSubstr("pyenv install 3.6"));
}

TEST_F(InterpreterTest, CandidatesComeFromPathAndPyenv) {
  const std::string nine = fake("bin/python3.9", "3.9.2");
  const std::string ten = fake("bin/python3.10", "3.10.2");
  const std::string pyenv = fake(".pyenv/versions/3.7.1/bin/python", "3.7.1");
  world_.write("bin/python3.8", "not executable");
  auto candidates =
      interpreter_candidates((world_.root() / "bin").string() + "::/nonexistent", world_.root().string());
  if (!candidates.empty() && candidates.front() == "/usr/bin/python3") {
    candidates.erase(candidates.begin());
  }
  EXPECT_THAT(candidates, ElementsAre(ten, nine, pyenv));
}

TEST(PackagesTest, MissingOnesAreNamedWithTheCommand) {
  EXPECT_EQ(missing_packages({}), std::nullopt);
  EXPECT_EQ(missing_packages({"libc6"}), std::nullopt);
  const auto missing = missing_packages({"libc6", "dlbench-no-such-package"});
  ASSERT_TRUE(missing);
  EXPECT_THAT(*missing, HasSubstr("apt-get install dlbench-no-such-package"));
  EXPECT_THAT(*missing, testing::Not(HasSubstr("libc6")));
}

}  // namespace
}  // namespace dlbench::frameworks
