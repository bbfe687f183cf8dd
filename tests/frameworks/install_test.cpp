#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/error.hpp"
#include "frameworks/digest.hpp"
#include "frameworks/frameworks.hpp"
#include "frameworks/install_fixture.hpp"

namespace dlbench::frameworks {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

TEST_F(InstallTest, AbsentSaysHowToGetIt) {
  world_.make_runner("fake");
  const Installed state = state_of("fake");
  EXPECT_EQ(state.state, State::absent);
  EXPECT_EQ(state.version, "1.0");
  EXPECT_THAT(state.why_not, HasSubstr("dlbench install fake"));
  EXPECT_FALSE(fs::exists(world_.places().cache));
}

TEST_F(InstallTest, ReadyWithItsDescription) {
  world_.make_runner("fake");
  const Installed state = install_now("fake");
  ASSERT_EQ(state.state, State::ready) << state.why_not;
  EXPECT_THAT(state.description_json, HasSubstr("\"framework\": \"fake\""));
  EXPECT_EQ(state.folder, (folder("fake") / "env").string());
  EXPECT_GT(state.bytes, 0U);
  EXPECT_EQ(state_of("fake").state, State::ready);
  EXPECT_EQ(state_of("fake").digest, state.digest);
}

TEST_F(InstallTest, NothingOfTheCallersEnvironmentReachesTheRunner) {
  world_.make_runner("fake", "environment: {ZETA: \"{threads}\"}\n");
  setenv("DLBENCH_TEST_LEAK", "1", 1);
  const Installed state = install_now("fake");
  unsetenv("DLBENCH_TEST_LEAK");
  // The fake reports the names of its variables; LC_CTYPE is Python's own doing.
  EXPECT_THAT(state.description_json, HasSubstr("HOME"));
  EXPECT_THAT(state.description_json, HasSubstr("ZETA"));
  EXPECT_THAT(state.description_json, testing::Not(HasSubstr("LEAK")));
}

TEST_F(InstallTest, StartCommandIsExpanded) {
  world_.make_runner("fake", "environment: {OMP_NUM_THREADS: \"{threads}\", WHERE: \"{sdk}/python\"}\n");
  const Installed state = install_now("fake");
  const Start start = start_command(world_.places(), world_.manifest("fake"), state, 3);
  EXPECT_THAT(start.command, ElementsAre(HasSubstr("python"), world_.places().runners + "/fake/main.py"));
  EXPECT_THAT(start.environment,
              ElementsAre("HOME=" + (folder("fake") / "home").string(), "LANG=C.UTF-8", "OMP_NUM_THREADS=3",
                          StartsWith("PATH=/usr"), "WHERE=" + world_.places().sdk + "/python"));
}

// What only the gate may have reaches no process that is timed.
TEST_F(InstallTest, AProcessThatProvesHasVariablesOfItsOwn) {
  world_.make_runner(
      "fake", "environment: {A: timed, B: both}\ngate_environment: {A: \"{compiled}/{threads}\", C: c}\n");
  const Installed state = install_now("fake");
  const auto variables = [&](Purpose purpose) {
    return start_command(world_.places(), world_.manifest("fake"), state, 3, purpose).environment;
  };
  EXPECT_THAT(variables(Purpose::measure), ElementsAre("A=timed", "B=both", StartsWith("HOME="),
                                                       StartsWith("LANG="), StartsWith("PATH=")));
  EXPECT_THAT(variables(Purpose::prove),
              ElementsAre(MatchesRegex("A=" + (folder("fake") / "compiled").string() + "/[0-9a-f]{32}/3"),
                          "B=both", "C=c", StartsWith("HOME="), StartsWith("LANG="), StartsWith("PATH=")));
}

TEST_F(InstallTest, ReadyIsNotInstalledAgain) {
  world_.make_runner("fake");
  (void)install_now("fake");
  log_.clear();
  (void)install_now("fake");
  EXPECT_TRUE(log_.empty());
}

TEST_F(InstallTest, RunnerThatDoesNotStartLeavesAReason) {
  world_.make_runner("fake");
  world_.write("runners/fake/main.py", "import sys; sys.exit('no such framework')");
  const Installed state = install_now("fake");
  EXPECT_EQ(state.state, State::broken);
  EXPECT_THAT(state.why_not, HasSubstr("did not start"));
  EXPECT_FALSE(fs::exists(folder("fake") / "READY"));
  EXPECT_THAT(state_of("fake").why_not, HasSubstr("did not start"));
}

TEST_F(InstallTest, AMendedRunnerInstallsAndTheReasonIsGone) {
  world_.make_runner("fake");
  world_.write("runners/fake/main.py", "raise SystemExit(3)");
  EXPECT_EQ(install_now("fake").state, State::broken);
  world_.make_runner("fake");
  EXPECT_EQ(install_now("fake").state, State::ready);
  EXPECT_FALSE(fs::exists(folder("fake").string() + ".why_not"));
}

TEST_F(InstallTest, ARunnerThatDoesNotStartKeepsTheDownloads) {
  world_.make_runner("fake");
  world_.write("runners/fake/prepare", "#!/bin/sh\ndate +%N > \"$1/downloaded\"\n", true);
  world_.write("runners/fake/main.py", "raise SystemExit(3)");
  EXPECT_EQ(install_now("fake").state, State::broken);
  const fs::path downloaded = folder("fake") / "env" / "downloaded";
  const auto time = fs::last_write_time(downloaded);
  EXPECT_EQ(install_now("fake").state, State::broken);
  EXPECT_EQ(fs::last_write_time(downloaded), time);
  // What is no longer whole is fetched anew.
  fs::remove(downloaded);
  EXPECT_EQ(install_now("fake").state, State::broken);
  EXPECT_TRUE(fs::exists(downloaded));
}

TEST_F(InstallTest, MissingPackageIsNamed) {
  world_.make_runner("fake", "system_packages: [dlbench-no-such-package]\n");
  const Installed state = install_now("fake");
  EXPECT_EQ(state.state, State::absent);
  EXPECT_THAT(state.why_not, HasSubstr("apt-get install dlbench-no-such-package"));
  // What the machine lacks is asked for anew each time, so it is nowhere written down.
  EXPECT_THAT(state_of("fake").why_not, HasSubstr("dlbench install fake"));
}

TEST_F(InstallTest, ARunnerSaysWhatItMissesOnTheMachine) {
  world_.make_runner("fake");
  world_.write("runners/fake/prepare_lacking", "#!/bin/sh\necho 'no Fake here: build it'\n", true);
  const Installed state = install_now("fake");
  EXPECT_EQ(state.state, State::absent);
  EXPECT_EQ(state.why_not, "no Fake here: build it");
  EXPECT_FALSE(fs::exists(folder("fake")));
  EXPECT_EQ(Survey().why_not(world_.manifest("fake"), state_of("fake")), "no Fake here: build it");
  world_.write("runners/fake/prepare_lacking", "#!/bin/sh\nexit 3\n", true);
  EXPECT_THAT(install_now("fake").why_not, HasSubstr("prepare_lacking: exit code 3"));
  world_.write("runners/fake/prepare_lacking", "#!/bin/sh\n", true);
  EXPECT_EQ(install_now("fake").state, State::ready);
}

TEST_F(InstallTest, MissingInterpreterIsExplained) {
  world_.write("runners/fake/manifest.yaml",
               "name: fake\ntitle: t\nlanguage: python\npython: \"<2\"\nstart: [\"{python}\"]\nversions: "
               "[{version: 1.0}]\n");
  const Installed state = install_now("fake");
  EXPECT_EQ(state.state, State::absent);
  EXPECT_THAT(state.why_not, HasSubstr("needs Python <2"));
}

TEST_F(InstallTest, PrepareGetsTheEnvironmentAndItsFailureIsShown) {
  world_.make_runner("fake");
  world_.write("runners/fake/prepare", "#!/bin/sh\necho shim > \"$1/shim-$2\"\n", true);
  EXPECT_EQ(install_now("fake").state, State::ready);
  EXPECT_TRUE(fs::exists(folder("fake") / "env" / "shim-1.0"));
  world_.write("runners/fake/prepare", "#!/bin/sh\necho looking\necho the shim is broken\nexit 9\n", true);
  const Installed state = install_now("fake");
  EXPECT_EQ(state.state, State::broken);
  EXPECT_THAT(state.why_not, HasSubstr("prepare ended with exit code 9"));
  EXPECT_THAT(state.why_not, HasSubstr("looking | the shim is broken"));
}

// As pip does where no index answers: what it tried again and again is not the reason.
TEST_F(InstallTest, OfAFailureThatNamesItsErrorNothingBeforeItIsShown) {
  world_.make_runner("fake");
  world_.write("runners/fake/prepare",
               "#!/bin/sh\necho WARNING: Retrying\necho 'ERROR: no such package'\necho see above\nexit 1\n",
               true);
  EXPECT_THAT(install_now("fake").why_not, HasSubstr("exit code 1: ERROR: no such package | see above"));
  EXPECT_THAT(install_now("fake").why_not, Not(HasSubstr("Retrying")));
}

// A compiler goes on after its first error; the build tools have the last word.
TEST_F(InstallTest, TheFirstErrorOfACompilerIsShownAndNoneOfAToolBefore) {
  world_.make_runner("fake");
  world_.write("runners/fake/prepare", "#!/bin/sh\necho 'ERROR: of another tool'\n", true);
  world_.write("runners/fake/CMakeLists.txt",
               "cmake_minimum_required(VERSION 3.25)\nproject(fake NONE)\n"
               "add_custom_target(all_of_it ALL COMMAND sh -c \"echo a.cpp:1:2: error: no such type; "
               "for i in 1 2 3 4 5 6 7 8; do echo note $i; done; exit 1\" VERBATIM)\n");
  const Installed state = install_now("fake");
  EXPECT_EQ(state.state, State::broken);
  EXPECT_THAT(state.why_not, HasSubstr("exit code 2: a.cpp:1:2: error: no such type | note 1"));
  EXPECT_THAT(state.why_not, Not(HasSubstr("another tool")));
}

TEST_F(InstallTest, ChangedSourcesMakeItStaleButKeepTheDownloads) {
  world_.make_runner("fake");
  world_.write("runners/fake/prepare", "#!/bin/sh\ndate +%N > \"$1/downloaded\"\n", true);
  const Installed before = install_now("fake");
  const fs::path downloaded = folder("fake") / "env" / "downloaded";
  const auto time = fs::last_write_time(downloaded);
  world_.write("runners/fake/extra.py", "x = 1\n");
  const Installed stale = state_of("fake");
  EXPECT_EQ(stale.state, State::broken);
  EXPECT_THAT(stale.why_not, HasSubstr("changed since"));
  EXPECT_NE(stale.digest, before.digest);
  EXPECT_EQ(install_now("fake").state, State::ready);
  EXPECT_EQ(fs::last_write_time(downloaded), time);
  world_.write("runners/fake/prepare", "#!/bin/sh\n# another one\n", true);
  EXPECT_EQ(install_now("fake").state, State::ready);
  EXPECT_FALSE(fs::exists(downloaded));
}

TEST_F(InstallTest, DigestFollowsEveryInput) {
  world_.write("runners/fake/lock.txt", "a==1\n");
  world_.make_runner("fake", "    lock: lock.txt\n");
  const auto digest = [&] {
    const Manifest manifest = world_.manifest("fake");
    return full_digest(world_.places(), manifest, manifest.versions.front());
  };
  const std::string first = digest();
  world_.write("runners/fake/README.md", "prose");
  world_.write("runners/fake/__pycache__/main.pyc", "cache");
  EXPECT_EQ(digest(), first);
  world_.write("runners/fake/ops/new.py", "");
  const std::string second = digest();
  EXPECT_NE(second, first);
  world_.write("sdk/python/dlbench_runner/serve.py", "# changed");
  const std::string third = digest();
  EXPECT_NE(third, second);
  world_.write("sdk/cpp/session.hpp", "// another language");
  EXPECT_EQ(digest(), third);
  world_.write("runners/fake/lock.txt", "a==2\n");
  const std::string fourth = digest();
  EXPECT_NE(fourth, third);
  world_.make_runner("fake", "    lock: lock.txt\n    environment: {A: b}\n");
  const std::string fifth = digest();
  EXPECT_NE(fifth, fourth);
  world_.make_runner("fake", "    lock: lock.txt\n    environment: {A: b}\n    gate_environment: {C: d}\n");
  EXPECT_NE(digest(), fifth);
}

TEST_F(InstallTest, WhatIsCompiledForOneProcessorIsStaleOnAnother) {
  const auto digest = [&](bool is_native) {
    Manifest manifest = world_.manifest("fake");
    manifest.is_native = is_native;
    return full_digest(world_.places(), manifest, manifest.versions.front());
  };
  world_.make_runner("fake", "native: true\n");
  EXPECT_TRUE(world_.manifest("fake").is_native);
  EXPECT_NE(digest(true), digest(false));
}

// A framework that the user has elsewhere, as the prepare script found it.
TEST_F(InstallTest, DigestFollowsWhatLiesOutside) {
  world_.make_runner("fake");
  const auto digest_with = [&](const std::string& outside) {
    world_.write("runners/fake/prepare",
                 "#!/bin/sh\ncat /dev/null " + (world_.root() / "elsewhere").string() + " > \"$1/outside\"\n",
                 true);
    world_.write("elsewhere", outside);
    (void)uninstall_now("1.0");
    const Installed state = install_now("fake");
    EXPECT_EQ(state.state, State::ready) << state.why_not;
    return state.digest;
  };
  const std::string first = digest_with("first build");
  EXPECT_EQ(digest_with("first build"), first);
  EXPECT_NE(digest_with("second build"), first);
}

// The tools may have read the old file or the new one.
TEST_F(InstallTest, WhatChangesWhileItIsInstalledIsStale) {
  world_.make_runner("fake");
  world_.write("runners/fake/prepare", "#!/bin/sh\necho x = 1 > \"$(dirname \"$0\")/late.py\"\n", true);
  const Installed state = install_now("fake");
  EXPECT_EQ(state.state, State::broken);
  EXPECT_THAT(state.why_not, HasSubstr("changed since"));
  EXPECT_EQ(install_now("fake").state, State::ready);
}

TEST_F(InstallTest, VersionsStandSideBySideAndDoNotTouchEachOther) {
  const std::string second = "  - version: 2.0\n    environment: {SECOND: \"1\"}\n";
  world_.make_runner("fake");
  const std::string alone = install_now("fake").digest;
  world_.make_runner("fake", second);
  // A new version does not make the others stale.
  EXPECT_EQ(state_of("fake").state, State::ready);
  EXPECT_EQ(state_of("fake").digest, alone);
  const Manifest manifest = world_.manifest("fake");
  EXPECT_THAT(installed(world_.places(), manifest, "2.0").why_not, HasSubstr("dlbench install fake@2.0"));
  const Installed newer = install(world_.places(), manifest, "2.0", [](const std::string&) {});
  ASSERT_EQ(newer.state, State::ready) << newer.why_not;
  EXPECT_NE(newer.digest, alone);
  EXPECT_THAT(newer.description_json, HasSubstr("SECOND"));
  EXPECT_THAT(state_of("fake").description_json, testing::Not(HasSubstr("SECOND")));
  EXPECT_TRUE(uninstall_now("2.0"));
  EXPECT_EQ(state_of("fake").state, State::ready);
  EXPECT_EQ(installed(world_.places(), manifest, "2.0").state, State::absent);
}

TEST_F(InstallTest, UninstallLeavesNothing) {
  world_.make_runner("fake");
  (void)install_now("fake");
  EXPECT_TRUE(uninstall_now("1.0"));
  EXPECT_EQ(state_of("fake").state, State::absent);
  EXPECT_FALSE(fs::exists(folder("fake")));
  EXPECT_FALSE(uninstall_now("1.0"));
  EXPECT_THROW(uninstall_now("../1.0"), base::UserError);
  EXPECT_THROW(uninstall_now("1.0.lock"), base::UserError);
  EXPECT_TRUE(fs::exists(folder("fake").string() + ".lock"));
}

TEST_F(InstallTest, DamagedStampCountsAsNone) {
  world_.make_runner("fake");
  (void)install_now("fake");
  const std::string digest(32, 'a');
  for (const std::string& content :
       {std::string(), std::string("READY"), std::string("0 0 0 0 0"), digest + " " + digest + " 1",
        digest + " " + digest + " 1 x 1", std::string("../../../../etc/passwd x 1 1 1")}) {
    world_.write("cache/frameworks/fake/1.0/READY", content);
    EXPECT_EQ(state_of("fake").state, State::broken) << content;
  }
  EXPECT_EQ(install_now("fake").state, State::ready);
}

TEST_F(InstallTest, LostProgramIsNamed) {
  world_.make_runner("fake");
  world_.write("interpreter", "#!/bin/sh\nexec /usr/bin/python3 \"$@\"\n", true);
  world_.write("runners/fake/prepare",
               "#!/bin/sh\ncp " + (world_.root() / "interpreter").string() + " \"$1/program\"\n", true);
  world_.write_manifest("fake", "", R"("{env}/program", "{runner}/main.py")");
  ASSERT_EQ(install_now("fake").state, State::ready);
  fs::remove(folder("fake") / "env" / "program");
  EXPECT_EQ(state_of("fake").state, State::broken);
  EXPECT_THAT(state_of("fake").why_not, HasSubstr("env/program is gone; repeat: dlbench install fake"));
  EXPECT_EQ(install_now("fake").state, State::ready);
}

TEST_F(InstallTest, LostFileIsNoticedByTheNextInstallation) {
  world_.make_runner("fake");
  world_.write("runners/fake/prepare", "#!/bin/sh\necho library > \"$1/library\"\n", true);
  ASSERT_EQ(install_now("fake").state, State::ready);
  for (const auto* change : {"gone", "shorter"}) {
    fs::remove(folder("fake") / "env" / "library");
    if (change == std::string("shorter")) {
      world_.write("cache/frameworks/fake/1.0/env/library", "lib");
    }
    log_.clear();
    EXPECT_EQ(install_now("fake").state, State::ready) << change;
    EXPECT_THAT(log_, Contains(HasSubstr("installing it again"))) << change;
    EXPECT_EQ(fs::file_size(folder("fake") / "env" / "library"), 8U) << change;
  }
  // Caches of interpreters come and go.
  world_.write("cache/frameworks/fake/1.0/env/__pycache__/main.pyc", "cache");
  log_.clear();
  EXPECT_EQ(install_now("fake").state, State::ready);
  EXPECT_THAT(log_, testing::IsEmpty());
}

TEST_F(InstallTest, OtherInterpreterIsTakenWhenItIsNamed) {
  world_.make_runner("fake");
  ASSERT_EQ(install_now("fake").state, State::ready);
  world_.write("own/python3",
               "#!/bin/sh\n[ \"$1\" = -I ] && { echo 3.99.1; exit; }\nexec /usr/bin/python3 \"$@\"\n", true);
  const std::string own = (world_.root() / "own/python3").string();
  const auto install_with = [&](const std::string& python) {
    return install(world_.places(), world_.manifest("fake"), {},
                   [&](const std::string& line) { log_.push_back(line); }, {python, {}});
  };
  const Installed state = install_with(own);
  ASSERT_EQ(state.state, State::ready) << state.why_not;
  EXPECT_EQ(state.interpreter, "3.99.1");
  EXPECT_EQ(start_command(world_.places(), world_.manifest("fake"), state, 1).command.front(), own);
  log_.clear();
  EXPECT_EQ(install_with({}).interpreter, "3.99.1");
  EXPECT_THAT(log_, testing::IsEmpty());
}

TEST_F(InstallTest, UnknownVersionIsTheUsersMistake) {
  world_.make_runner("fake");
  EXPECT_THROW((void)installed(world_.places(), world_.manifest("fake"), "9.9"), base::UserError);
}

}  // namespace
}  // namespace dlbench::frameworks
