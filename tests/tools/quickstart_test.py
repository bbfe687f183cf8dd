"""./quickstart in a tree where dlbench and cmake are stubs."""

import os
import shutil
import subprocess
import unittest

from support import ROOT, TreeTest

# `install jax` fails; `run` writes a report into the workspace that follows --workspace.
DLBENCH = """
echo "$@" >> calls
[ "$1 $2" = "install jax" ] && exit 1
if [ "$1" = run ]; then mkdir -p "$4/reports" && touch "$4/reports/quickstart.html" && exit "${RUN_STATUS:-0}"; fi
exit 0
"""


class Quickstart(TreeTest):

    def setUp(self):
        super().setUp()
        shutil.copy(os.path.join(ROOT, "quickstart"), self.root)
        self.program("tools/bootstrap", 'echo "bootstrap $*" >> calls')
        self.program("bin/cmake", 'echo "cmake $*" >> calls; mkdir -p build/release; touch build/release/build.ninja')
        self.program("build/release/bin/dlbench", DLBENCH)

    def program(self, name, body):
        self.write(name, "#!/bin/sh\n" + body + "\n")
        os.chmod(os.path.join(self.root, name), 0o755)

    def quickstart(self, *arguments, **variables):
        environment = {"PATH": os.path.join(self.root, "bin") + ":/usr/bin:/bin", **variables}
        return subprocess.run([os.path.join(self.root, "quickstart"), *arguments], env=environment, cwd="/",
                              capture_output=True, text=True, check=False, timeout=60)

    def calls(self):
        with open(os.path.join(self.root, "calls"), encoding="utf-8") as file:
            return file.read().splitlines()

    def test_it_builds_installs_runs_and_names_the_report(self):
        result = self.quickstart()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        calls = self.calls()
        self.assertEqual(calls[0:2], ["bootstrap build frameworks", "cmake --preset release"])
        self.assertRegex(calls[-1], r"^run studies/quickstart\.yaml --workspace workspaces/\d{8}T\d{6}Z-?\d* --ok-if-any$")
        self.assertRegex(result.stdout, rf"Report: {self.root}/workspaces/\S+/reports/quickstart\.html\n$")

    def test_a_framework_that_cannot_be_installed_does_not_stop_the_others(self):
        result = self.quickstart()
        self.assertIn("jax could not be installed", result.stderr)
        self.assertIn("install reference", self.calls())

    def test_a_second_call_configures_nothing_and_takes_another_workspace(self):
        self.quickstart()
        os.remove(os.path.join(self.root, "calls"))
        self.assertEqual(self.quickstart().returncode, 0)
        self.assertNotIn("cmake --preset release", self.calls())
        self.assertEqual(len(os.listdir(os.path.join(self.root, "workspaces"))), 2)

    def test_a_study_without_any_result_is_a_failure(self):
        self.assertEqual(self.quickstart(RUN_STATUS="1").returncode, 1)

    def test_options_reach_the_run(self):
        self.quickstart("--blocks", "2")
        self.assertTrue(self.calls()[-1].endswith("--ok-if-any --blocks 2"))


if __name__ == "__main__":
    unittest.main()
