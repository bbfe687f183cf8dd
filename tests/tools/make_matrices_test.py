"""The pages of matrices: which rows and notes a new run replaces, and what --check calls a difference."""

import os
import subprocess
import sys
import unittest

from support import TOOLS, TreeTest

PAGE = """# Networks

By hand.

| framework | lenet | block | made |
|---|---|---|---|
| a@1 | PASS | UNSUPPORTED | then, 2 CPUs |
| b@2 | PASS | PASS | then, 2 CPUs |

- a@1: block: UNSUPPORTED(op concat)
- b@2: lenet, block: something
"""
LIST = "framework state version size\\na ready 1 -\\nb absent 2 -\\nnull-cpp ready 1 -\\n"
# Prints the table of the framework that comes last, a column for each name behind --only.
DLBENCH = """#!/bin/sh
[ "$1" = list ] && printf '%s' && exit 0
echo "$*" >> calls
nproc >> cpus
exec cat "$(for last in "$@"; do :; done; echo "$last").table"
""" % LIST


class MakeMatrices(TreeTest):

    def setUp(self):
        super().setUp()
        self.write("pages/networks.md", PAGE)
        self.write("dlbench", DLBENCH)
        os.chmod(os.path.join(self.root, "dlbench"), 0o755)

    def make(self, *arguments, kind="networks"):
        return subprocess.run([sys.executable, "-B", os.path.join(TOOLS, "make_matrices.py"), "--dlbench", "./dlbench",
                               "--pages", "pages", kind, *arguments], cwd=self.root, capture_output=True,
                              text=True, check=False)

    def page(self):
        with open(os.path.join(self.root, "pages/networks.md"), encoding="utf-8") as file:
            return file.read()

    def lines(self, begin):
        return [line for line in self.page().splitlines() if line.startswith(begin)]

    def test_replaces_the_row_and_the_notes_of_what_was_run(self):
        self.write("a@1.table", "| framework | lenet | block |\n|---|---|---|\n| a@1 | MISMATCH | PASS |\n\n"
                   "- a@1: lenet: MISMATCH(wrong)\n")
        self.assertEqual(self.make("a@1").returncode, 0)
        self.assertTrue(self.page().startswith("# Networks\n\nBy hand.\n\n| framework |"))
        self.assertRegex(self.lines("| a@1")[0], r"^\| a@1 \| MISMATCH \| PASS \| \d{4}-\d\d-\d\d, \d+ CPUs, .+ \|$")
        self.assertEqual(self.lines("| b@2"), ["| b@2 | PASS | PASS | then, 2 CPUs |"])
        self.assertEqual(self.lines("- "), ["- a@1: lenet: MISMATCH(wrong)", "- b@2: lenet, block: something"])

    def test_keeps_the_columns_that_were_not_run(self):
        self.write("b@2.table", "| framework | alexnet | block |\n|---|---|---|\n| b@2 | PASS | MISMATCH |\n\n"
                   "- b@2: block: new\n")
        self.assertEqual(self.make("--only", "alexnet,block", "b@2").returncode, 0)
        self.assertEqual(self.lines("| framework"), ["| framework | lenet | block | alexnet | made |"])
        self.assertEqual(self.lines("| a@1"), ["| a@1 | PASS | UNSUPPORTED | – | then, 2 CPUs |"])
        self.assertRegex(self.lines("| b@2")[0], r"^\| b@2 \| PASS \| MISMATCH \| PASS \| \d.* / then, 2 CPUs \|$")
        self.assertEqual(self.lines("- b@2"), ["- b@2: block: new", "- b@2: lenet: something"])

    def test_runs_all_that_is_installed(self):
        self.write("a@1.table", "| framework | lenet |\n|---|---|\n| a@1 | PASS |\n")
        self.assertEqual(self.make().returncode, 0)
        with open(os.path.join(self.root, "calls"), encoding="utf-8") as file:
            self.assertRegex(file.read(), r"^verify --networks --threads \d+ --batch 16 --markdown a@1\n$")

    def test_check_tells_a_difference_and_writes_nothing(self):
        self.write("a@1.table", "| framework | lenet |\n|---|---|\n| a@1 | MISMATCH |\n\n- a@1: lenet: MISMATCH(wrong)\n")
        self.write("b@2.table", "| framework | lenet |\n|---|---|\n| b@2 | PASS |\n")
        self.assertEqual(self.make("--check", "b@2").returncode, 0)
        told = self.make("--check", "a@1", "b@2")
        self.assertEqual((told.returncode, told.stderr), (1, "a@1: lenet is MISMATCH, the page says PASS\n"
                                                          "- a@1: lenet: MISMATCH(wrong)\n"))
        self.assertEqual(self.page(), PAGE)

    def test_check_takes_what_was_not_run_for_no_difference(self):
        self.write("a@1.table", "| framework | lenet | block |\n|---|---|---|\n| a@1 | PASS | MISMATCH |\n")
        self.write("pages/networks.md", PAGE.replace("| UNSUPPORTED |", "| – |"))
        told = self.make("--check", "a@1")
        self.assertEqual((told.returncode, told.stderr), (0, ""))

    def test_check_misses_rows_and_columns(self):
        self.write("c@3.table", "| framework | lenet | dense |\n|---|---|---|\n| c@3 | PASS | PASS |\n")
        told = self.make("--check", "c@3")
        self.assertEqual(told.returncode, 1)
        self.assertIn("c@3: the page has no row", told.stderr)
        self.assertIn("the page has no column dense", told.stderr)

    def test_what_is_not_installed_is_told_and_the_others_are_written(self):
        self.write("a@1.table", "a@1: NOT_INSTALLED(needs Python >=2.6,<3; get one with: pyenv install 2.6)\n")
        self.write("b@2.table", "| framework | lenet |\n|---|---|\n| b@2 | MISMATCH |\n")
        told = self.make("a@1", "b@2")
        self.assertEqual(told.returncode, 1)
        self.assertIn("a@1: NOT_INSTALLED(needs Python >=2.6,<3; get one with: pyenv", told.stderr)
        self.assertRegex(self.lines("| b@2")[0], "MISMATCH")
        self.assertEqual(self.lines("| a@1"), ["| a@1 | PASS | UNSUPPORTED | then, 2 CPUs |"])

    def test_runs_of_one_thread_share_the_cpus(self):
        self.write("pages/operators.md", PAGE)
        for name in ("a@1", "b@2"):
            self.write(name + ".table", "| framework | relu |\n|---|---|\n| %s | PASS |\n" % name)
        self.assertEqual(self.make("a@1", "b@2", kind="operators").returncode, 0)
        cpus = len(os.sched_getaffinity(0))
        with open(os.path.join(self.root, "cpus"), encoding="utf-8") as file:
            self.assertEqual(sum(map(int, file)), cpus if cpus > 1 else 2)

    def test_a_mistake_is_no_result(self):
        self.write("dlbench", "#!/bin/sh\nexit 2\n")
        self.assertIn("ended with status 2", self.make("a@1").stderr)
        self.assertEqual(self.page(), PAGE)


if __name__ == "__main__":
    unittest.main()
