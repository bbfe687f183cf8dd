#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "frameworks/frameworks.hpp"
#include "frameworks/runner_folder.hpp"

namespace dlbench::frameworks {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

class ManifestTest : public testing::Test {
 protected:
  // Reads a manifest of these lines for a runner named "fake".
  Manifest read(const std::string& text) {
    world_.write("runners/fake/manifest.yaml", text);
    return read_manifest(world_.places().runners + "/fake");
  }
  base::UserError error_of(const std::string& text) {
    try {
      (void)read(text);
    } catch (const base::UserError& error) {
      return error;
    }
    ADD_FAILURE() << "accepted: " << text;
    return base::UserError("");
  }
  // The complaint about one more line after a complete manifest (which has 6 lines).
  base::UserError error_with(const std::string& line) { return error_of(minimal + line); }

  const std::string minimal =
      "name: fake\ntitle: A fake\nlanguage: lua\nstart: [\"{runner}/run\"]\nversions:\n  - version: 1.0\n";
  test::RunnerWorld world_;
};

TEST_F(ManifestTest, Minimal) {
  const Manifest manifest = read(minimal);
  EXPECT_EQ(manifest.name, "fake");
  EXPECT_EQ(manifest.title, "A fake");
  EXPECT_EQ(manifest.language, "lua");
  EXPECT_EQ(manifest.folder, world_.places().runners + "/fake");
  EXPECT_FALSE(manifest.is_reference);
  EXPECT_THAT(manifest.start, ElementsAre("{runner}/run"));
  ASSERT_EQ(manifest.versions.size(), 1U);
  EXPECT_EQ(manifest.versions[0].version, "1.0");
  EXPECT_EQ(manifest.versions[0].lock, "");
}

TEST_F(ManifestTest, Complete) {
  world_.write("runners/fake/lock.txt", "");
  const Manifest manifest = read(
      "name: fake\ntitle: t\nlanguage: python\nreference: true\npython: \">=3.8,<3.12\"\nstart: "
      "[\"{python}\", x]\n"
      "versions: [{version: 2.1, lock: lock.txt}, {version: 2.0}]\nsystem_packages: [libfoo-dev, g++]\n"
      "environment: {OMP_NUM_THREADS: \"{threads}\", A: b}\n");
  EXPECT_TRUE(manifest.is_reference);
  EXPECT_EQ(manifest.python_range, ">=3.8,<3.12");
  EXPECT_EQ(manifest.versions[0].lock, "lock.txt");
  EXPECT_EQ(manifest.versions[1].version, "2.0");
  EXPECT_THAT(manifest.system_packages, ElementsAre("libfoo-dev", "g++"));
  EXPECT_EQ(manifest.environment.at("OMP_NUM_THREADS"), "{threads}");
}

TEST_F(ManifestTest, UnknownKeyHasLineAndSuggestion) {
  const base::UserError error = error_with("enviroment: {A: b}\n");
  EXPECT_THAT(error.what(), HasSubstr("unknown key 'enviroment'"));
  EXPECT_THAT(error.where(), EndsWith("fake/manifest.yaml:7"));
  EXPECT_THAT(error.hint(), HasSubstr("'environment'"));
}

TEST_F(ManifestTest, UnknownKeyOfAVersion) {
  const base::UserError error = error_of(minimal + "    lok: x\n");
  EXPECT_THAT(error.what(), HasSubstr("unknown key 'lok'"));
  EXPECT_THAT(error.hint(), HasSubstr("'lock'"));
}

TEST_F(ManifestTest, MissingAndRepeatedKeys) {
  EXPECT_THAT(error_of("name: fake\n").what(), HasSubstr("'title' is missing"));
  EXPECT_THAT(error_with("title: again\n").what(), HasSubstr("'title' appears twice"));
  EXPECT_THAT(error_of("[]").what(), HasSubstr("key: value"));
  EXPECT_THAT(error_of("").what(), HasSubstr("key: value"));
}

TEST_F(ManifestTest, NotYaml) {
  EXPECT_THAT(error_of("name: [\n").where(), HasSubstr("manifest.yaml:"));
}

TEST_F(ManifestTest, NameMustEqualItsFolder) {
  EXPECT_THAT(error_of("name: other\n").what(), HasSubstr("differs from its folder"));
  EXPECT_THAT(error_of("name: ../fake\n").what(), HasSubstr("is not a name"));
}

TEST_F(ManifestTest, UnknownPlaceholders) {
  const base::UserError error =
      error_of("name: fake\ntitle: t\nlanguage: lua\nstart: [\"{runer}/run\"]\nversions: [{version: 1}]\n");
  EXPECT_THAT(error.what(), HasSubstr("unknown placeholder '{runer}'"));
  EXPECT_THAT(error.where(), EndsWith(":4"));
  EXPECT_THAT(error.hint(), HasSubstr("'runner'"));
  EXPECT_THAT(error_with("environment: {A: \"{thread}\"}\n").hint(), HasSubstr("'threads'"));
  EXPECT_THAT(error_with("environment: {A: \"{threads\"}\n").what(), HasSubstr("unknown placeholder"));
}

TEST_F(ManifestTest, ProgramIsAPathNotAName) {
  EXPECT_THAT(
      error_of("name: fake\ntitle: t\nlanguage: lua\nstart: [luajit]\nversions: [{version: 1}]\n").what(),
      HasSubstr("'luajit' is not a path"));
}

TEST_F(ManifestTest, VersionsAndLocksCannotLeaveTheirFolders) {
  const auto with = [&](const std::string& versions) {
    return error_of("name: fake\ntitle: t\nlanguage: lua\nstart: [/bin/true]\nversions: " + versions + "\n");
  };
  EXPECT_THAT(with("[{version: ../1}]").what(), HasSubstr("is not a version"));
  EXPECT_THAT(with("[{version: 1, lock: /etc/passwd}]").what(), HasSubstr("must lie beside"));
  EXPECT_THAT(with("[{version: 1, lock: absent.txt}]").what(), HasSubstr("there is no lock file"));
  EXPECT_THAT(with("[{version: 1}, {version: 1}]").what(), HasSubstr("appears twice"));
  EXPECT_THAT(with("[]").what(), HasSubstr("at least one"));
}

TEST_F(ManifestTest, PackagesAndVariablesAreNames) {
  EXPECT_THAT(error_with("system_packages: [\"-y\"]\n").what(),
              HasSubstr("not the name of a Debian package"));
  EXPECT_THAT(error_with("environment: {\"A B\": c}\n").what(),
              HasSubstr("not the name of an environment variable"));
  EXPECT_THAT(error_with("environment: {A: \"b\\nc\"}\n").what(), HasSubstr("control characters"));
}

TEST_F(ManifestTest, PythonRangeBelongsToPython) {
  EXPECT_THAT(error_with("python: \">=3\"\n").what(), HasSubstr("for runners in Python"));
  EXPECT_THAT(error_of("name: fake\ntitle: t\nlanguage: python\npython: \"3.x\"\nstart: [/bin/true]\n"
                       "versions: [{version: 1}]\n")
                  .what(),
              HasSubstr("is not a range"));
  EXPECT_THAT(
      error_of("name: fake\ntitle: t\nlanguage: python\nstart: [/bin/true]\nversions: [{version: 1}]\n")
          .what(),
      HasSubstr("'python' is missing"));
}

TEST_F(ManifestTest, UnknownFrameworkNamesTheNearest) {
  world_.make_runner("caffe");
  world_.make_runner("chainer");
  world_.write("runners/_template/manifest.yaml", "broken: on purpose");
  const auto all = all_manifests(world_.places());
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].name, "caffe");
  try {
    (void)find_manifest(world_.places(), "chianer");
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_THAT(error.hint(), HasSubstr("'chainer'"));
  }
}

// Every runner of the project has a manifest that can be read.
TEST(ProjectManifestsTest, AreValid) {
  Places places;
  places.runners = DLBENCH_SOURCE_DIR "/runners";
  EXPECT_FALSE(all_manifests(places).empty());
}

}  // namespace
}  // namespace dlbench::frameworks
