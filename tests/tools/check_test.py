"""./check itself, in a tree where every stage is a stub that does what the test says."""

import os
import shutil
import subprocess
import unittest

from support import ROOT, TOOLS, TreeTest

SHELL_STAGES = ("bootstrap", "check_format", "check_scripts", "check_spelling", "run_clang_tidy", "run_fuzzers")
PYTHON_STAGES = ("check_layers.py", "check_sizes.py", "check_inventory.py", "check_tests_known.py")
DLBENCH = """
[ "$1" = list ] && printf 'framework state version\\none absent 1.0\\nnull-cpp absent 1\\ntwo absent 2.0-x\\n'
[ "$1" = install ] && echo "$2" >> installs
[ "$2" != two@2.0-x ] || { echo "no such wheel"; exit 1; }
"""
# Writes the result file of a run with two good tests, or one good and one bad.
CTEST = """
echo "$@" >> calls
while [ $# -gt 0 ]; do [ "$1" = --output-junit ] && out=$2; shift; done
printf '<testsuite><testcase name="a" status="run"/><testcase name="b" status="%s"/></testsuite>' "${STATUS:-run}" > "$out"
[ "${STATUS:-run}" = run ]
"""


class Check(TreeTest):

    def setUp(self):
        super().setUp()
        shutil.copy(os.path.join(ROOT, "check"), self.root)
        os.mkdir(os.path.join(self.root, "tools"))
        shutil.copy(os.path.join(TOOLS, "ctest_counts.py"), os.path.join(self.root, "tools"))
        for name in SHELL_STAGES:
            self.program("tools/" + name, "exit 0")
        for name in PYTHON_STAGES:
            self.write("tools/" + name, "")
        self.program("bin/cmake", "exit 0")
        self.program("bin/ctest", CTEST)
        self.program("build/release/bin/dlbench", DLBENCH)

    def program(self, name, body):
        self.write(name, "#!/bin/sh\n" + body + "\n")
        os.chmod(os.path.join(self.root, name), 0o755)

    def check(self, *arguments, **variables):
        environment = {"PATH": os.path.join(self.root, "bin") + ":/usr/bin:/bin", **variables}
        # From another folder: the script finds its own tree.
        return subprocess.run([os.path.join(self.root, "check"), *arguments], env=environment, cwd="/",
                              capture_output=True, text=True, check=False, timeout=60)

    def test_all_green_ends_with_the_counts(self):
        result = self.check()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        # Unit tests and framework tests: two each.
        self.assertEqual(result.stdout.splitlines()[-1], "4 passed, 0 failed")
        self.assertNotIn("asan", result.stdout)

    def test_full_runs_more(self):
        result = self.check("--full")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(result.stdout.splitlines()[-1], "10 passed, 0 failed")
        for stage in ("asan-tests", "tsan-tests", "clang-tidy", "fuzz"):
            self.assertRegex(result.stdout, rf"(?m)^{stage} +ok +\d+ s")

    def test_full_installs_every_version_and_leaves_failures_to_the_gate(self):
        result = self.check("--full")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        with open(os.path.join(self.root, "installs"), encoding="utf-8") as file:
            self.assertEqual(set(file.read().split()), {"jax", "libtorch", "reference", "one@1.0", "two@2.0-x"})
        with open(os.path.join(self.root, "build/check/install-all.log"), encoding="utf-8") as file:
            told = file.read()
        self.assertRegex(told, r"(?m)^one@1.0: installed after \d+ s$")
        self.assertRegex(told, r"(?m)^two@2.0-x: could not be installed after \d+ s: no such wheel$")

    def test_a_failed_test_is_counted_and_stops_the_rest(self):
        result = self.check(STATUS="fail")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stdout.splitlines()[-1], "1 passed, 1 failed")
        self.assertNotIn("framework-tests", result.stdout)

    def test_every_stage_can_stop_the_check(self):
        for name in SHELL_STAGES:
            self.program("tools/" + name, "echo broken by the test; exit 3")
            result = self.check("--full")
            self.assertEqual(result.returncode, 1, name)
            self.assertIn("broken by the test", result.stdout)
            self.assertRegex(result.stdout.splitlines()[-1], r"^\d+ passed, [1-9]\d* failed$")
            self.program("tools/" + name, "exit 0")
        for name in PYTHON_STAGES:
            self.write("tools/" + name, "raise SystemExit(1)\n")
            result = self.check()
            self.assertEqual(result.returncode, 1, name)
            self.write("tools/" + name, "")

    def test_a_failure_inside_a_stage_is_not_swallowed(self):
        # The first of two commands of one stage fails.
        self.program("bin/cmake", '[ "$1" != --preset ]')
        result = self.check()
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"(?m)^build +FAILED")

    def test_framework_tests_are_not_run_before_the_frameworks_are_installed(self):
        self.check()
        with open(os.path.join(self.root, "calls"), encoding="utf-8") as file:
            first, second = file.read().splitlines()
        self.assertIn("--label-exclude ^(framework|all-frameworks|matrices)$", first)
        self.assertIn("--label-regex ^framework$", second)

    def test_help_and_unknown_options(self):
        self.assertEqual(self.check("--help").returncode, 0)
        self.assertIn("usage", self.check("--help").stdout)
        self.assertEqual(self.check("--fulll").returncode, 2)
        self.assertEqual(self.check("--from", "nowhere").returncode, 2)


if __name__ == "__main__":
    unittest.main()
