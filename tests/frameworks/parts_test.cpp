// The small parts: placeholders, ranges, interpreters, packages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "frameworks/interpreter.hpp"
#include "frameworks/packages.hpp"
#include "frameworks/pip.hpp"
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
  const auto found = Interpreters({old, good, better}).find(">=3.8,<3.10");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->path, good);
  EXPECT_EQ(found->version, "3.9.2");
}

TEST_F(InterpreterTest, WhatIsBrokenIsPassedOver) {
  world_.write("broken/python3.8", "#!/bin/sh\necho 3.8.1\nexit 1\n", true);
  const std::string good = fake("b/python3.8", "3.8.2");
  EXPECT_EQ(Interpreters({(world_.root() / "broken/python3.8").string(), good}).find(">=3.8")->version,
            "3.8.2");
}

TEST_F(InterpreterTest, NoneSaysWhatWasSeenAndHowToGetOne) {
  const std::string old = fake("a/python3.9", "3.9.2");
  const auto found = Interpreters({old}).find(">=3.6,<3.7");
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error(), HasSubstr("a/python3.9 (3.9.2)"));
  EXPECT_THAT(found.error(), HasSubstr("pyenv install 3.6"));
}

// A wrapper works in the user's shell only; what is written down must work in a runner's environment.
TEST_F(InterpreterTest, NamesItselfBehindAWrapper) {
  world_.write("shims/python3.9", "#!/bin/sh\necho 3.9.9\necho /opt/versions/3.9.9/bin/python3.9\n", true);
  const auto found = Interpreters({(world_.root() / "shims/python3.9").string()}).find(">=3.9");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->path, "/opt/versions/3.9.9/bin/python3.9");
  EXPECT_EQ(found->version, "3.9.9");
}

TEST_F(InterpreterTest, AsksEachOnce) {
  const std::string log = (world_.root() / "asked").string();
  world_.write("a/python3.9", "#!/bin/sh\necho x >> " + log + "\necho 3.9.2\n", true);
  Interpreters interpreters({(world_.root() / "a/python3.9").string()});
  EXPECT_TRUE(interpreters.find(">=3.9"));
  EXPECT_FALSE(interpreters.find(">=3.10"));
  EXPECT_TRUE(interpreters.find("<4"));
  EXPECT_EQ(std::filesystem::file_size(log), 2U);
}

TEST_F(InterpreterTest, CandidatesComeFromPathAndPyenv) {
  const std::string nine = fake("bin/python3.9", "3.9.2");
  const std::string ten = fake("bin/python3.10", "3.10.2");
  const std::string pyenv = fake("pyenv/versions/3.7.1/bin/python", "3.7.1");
  world_.write("bin/python3.8", "not executable");
  auto candidates = interpreter_candidates((world_.root() / "bin").string() + "::/nonexistent",
                                           (world_.root() / "pyenv").string());
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

TEST(LockFileTest, WhatInstallsAndBuildsIsTakenOut) {
  EXPECT_EQ(building_packages(""), "");
  EXPECT_EQ(building_packages("# pip==1\npipx==1 --hash=sha256:a\nwheels==2\nnumpy==1\n"), "");
  EXPECT_EQ(
      building_packages("numpy==1 --hash=sha256:a\npip==21.3.1 \\\n  --hash=sha256:b \\\n  --hash=sha256:c\n"
                        "theano==1.0.5 \\\n  --hash=sha256:d\nsetuptools==59.6.0 --hash=sha256:e\nwheel"),
      "pip==21.3.1 \\\n  --hash=sha256:b \\\n  --hash=sha256:c\nsetuptools==59.6.0 --hash=sha256:e\nwheel\n");
}

TEST(VersionTest, IsWhatFollowsTheSign) {
  EXPECT_THAT(split_version("keras"), testing::Pair("keras", ""));
  EXPECT_THAT(split_version("keras@3.15.1-jax"), testing::Pair("keras", "3.15.1-jax"));
  EXPECT_THAT(split_version("@1@2"), testing::Pair("", "1@2"));
  EXPECT_THROW((void)split_version("keras@"), base::UserError);
}

}  // namespace
}  // namespace dlbench::frameworks
