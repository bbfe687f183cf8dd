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
using testing::Pair;

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
  EXPECT_TRUE(manifest.trains);
  ASSERT_EQ(manifest.versions.size(), 1U);
  EXPECT_EQ(manifest.versions[0].title, "A fake");
  EXPECT_THAT(manifest.versions[0].start, ElementsAre("{runner}/run"));
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
  EXPECT_EQ(manifest.versions[0].lock, "lock.txt");
  EXPECT_EQ(manifest.versions[1].version, "2.0");
  for (const VersionEntry& entry : manifest.versions) {
    EXPECT_EQ(entry.python_range, ">=3.8,<3.12");
    EXPECT_THAT(entry.system_packages, ElementsAre("libfoo-dev", "g++"));
    EXPECT_EQ(entry.environment.at("OMP_NUM_THREADS"), "{threads}");
  }
}

TEST_F(ManifestTest, MayOnlyEvaluate) {
  EXPECT_FALSE(read(minimal + "trains: false\n").trains);
  EXPECT_THAT(error_with("trains: never\n").what(), HasSubstr("neither true nor false"));
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

// Keras on two back ends and in two generations: what a version says goes over what is said for all.
TEST_F(ManifestTest, AVersionSaysWhatIsOtherwise) {
  const Manifest manifest = read(
      "name: fake\ntitle: t\nlanguage: python\npython: \">=3.12\"\nstart: [\"{python}\", new.py]\n"
      "system_packages: [libfoo-dev, g++]\nenvironment: {BACKEND: tensorflow, HOME_OF: \"{env}\"}\n"
      "versions:\n  - version: 3.15.1\n"
      "  - version: 3.15.1-jax\n    title: t on JAX\n    environment: {BACKEND: jax, NPROC: \"{threads}\"}\n"
      "  - version: 2.2.4\n    python: \">=3.6,<3.8\"\n    start: [\"{python}\", old.py]\n"
      "    system_packages: [g++, libbar-dev]\n");
  const VersionEntry& plain = version_entry(manifest, "3.15.1");
  const VersionEntry& jax = version_entry(manifest, "3.15.1-jax");
  const VersionEntry& old = version_entry(manifest, "2.2.4");
  EXPECT_EQ(plain.title, "t");
  EXPECT_THAT(plain.environment, ElementsAre(Pair("BACKEND", "tensorflow"), Pair("HOME_OF", "{env}")));
  EXPECT_EQ(jax.title, "t on JAX");
  EXPECT_EQ(jax.python_range, ">=3.12");
  EXPECT_THAT(jax.environment,
              ElementsAre(Pair("BACKEND", "jax"), Pair("HOME_OF", "{env}"), Pair("NPROC", "{threads}")));
  EXPECT_EQ(old.python_range, ">=3.6,<3.8");
  EXPECT_THAT(old.start, ElementsAre("{python}", "old.py"));
  EXPECT_THAT(old.system_packages, ElementsAre("libfoo-dev", "g++", "libbar-dev"));
  EXPECT_THAT(old.environment, plain.environment);
}

TEST_F(ManifestTest, AVersionIsReadAsStrictlyAsTheRest) {
  const auto with = [&](const std::string& line) { return error_of(minimal + "    " + line + "\n"); };
  EXPECT_THAT(with("python: \">=3\"").what(), HasSubstr("for runners in Python"));
  EXPECT_THAT(with("environment: {A: \"{thread}\"}").hint(), HasSubstr("'threads'"));
  EXPECT_THAT(with("environment: {A: \"{thread}\"}").where(), EndsWith("manifest.yaml:7"));
  EXPECT_THAT(with("start: [luajit]").what(), HasSubstr("is not a path"));
  EXPECT_THAT(with("start: []").what(), HasSubstr("'start' is empty"));
  EXPECT_THAT(with("system_packages: [\"-y\"]").what(), HasSubstr("not the name of a Debian package"));
  EXPECT_THAT(with("reference: true").what(), HasSubstr("unknown key 'reference'"));
}

TEST_F(ManifestTest, StartMayBeSaidForEachVersionAlone) {
  const std::string head =
      "name: fake\ntitle: t\nlanguage: lua\nversions:\n  - version: 1\n    start: [/bin/true]\n";
  EXPECT_THAT(read(head).versions[0].start, ElementsAre("/bin/true"));
  const base::UserError error = error_of(head + "  - version: 2\n");
  EXPECT_THAT(error.what(), HasSubstr("'start' is missing"));
  EXPECT_THAT(error.where(), EndsWith("manifest.yaml:7"));
}

// A library in C++ may come out of a Python package: then an interpreter is needed to unpack it.
TEST_F(ManifestTest, ALockFileNeedsAnInterpreterInAnyLanguage) {
  world_.write("runners/fake/lock.txt", "");
  EXPECT_THAT(error_of(minimal + "    lock: lock.txt\n").what(), HasSubstr("'python' is missing"));
  const Manifest manifest = read(minimal + "  - version: 2.0\n    lock: lock.txt\n    python: \">=3.12\"\n");
  EXPECT_EQ(manifest.versions[0].python_range, "");
  EXPECT_EQ(manifest.versions[1].python_range, ">=3.12");
  EXPECT_EQ(
      read(minimal + "  - version: 2.0\n    lock: lock.txt\npython: \">=3.12\"\n").versions[0].python_range,
      "");
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

TEST_F(ManifestTest, AMistakeInOneDoesNotBlockAnother) {
  world_.make_runner("caffe");
  world_.write("runners/chainer/manifest.yaml", "broken: by accident");
  EXPECT_EQ(find_manifest(world_.places(), "caffe").name, "caffe");
  EXPECT_THROW((void)find_manifest(world_.places(), "chainer"), base::UserError);
  EXPECT_THROW((void)all_manifests(world_.places()), base::UserError);
}

// Every runner of the project has a manifest that can be read.
TEST(ProjectManifestsTest, AreValid) {
  Places places;
  places.runners = DLBENCH_SOURCE_DIR "/runners";
  EXPECT_FALSE(all_manifests(places).empty());
}

}  // namespace
}  // namespace dlbench::frameworks
