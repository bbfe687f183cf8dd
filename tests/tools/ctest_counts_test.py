"""tools/ctest_counts.py reads what CTest writes."""

import os
import unittest

from support import TreeTest

import ctest_counts

# As CTest 3.25 writes it: one of each status.
JUNIT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="x" tests="5" failures="1" disabled="1" skipped="1">
<testcase name="a" classname="a" time="0.1" status="run"><system-out>ok</system-out></testcase>
<testcase name="b" classname="b" time="0.1" status="run"/>
<testcase name="c" classname="c" time="0.1" status="fail"><failure message=""/></testcase>
<testcase name="d" classname="d" time="0.1" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/><system-out>
looking
not here &amp; not there
</system-out></testcase>
<testcase name="e" classname="e" time="0.1" status="disabled"/>
</testsuite>
"""


class CtestCounts(TreeTest):

    def test_each_status_is_counted_once(self):
        self.write("a.xml", JUNIT)
        self.assertEqual(ctest_counts.counts(os.path.join(self.root, "a.xml")), (2, 1, 2))

    def test_a_skipped_test_says_why(self):
        self.write("a.xml", JUNIT)
        self.assertEqual(ctest_counts.skipped_lines(os.path.join(self.root, "a.xml")), ["d: not here & not there"])

    def test_no_file_is_no_test(self):
        self.assertEqual(ctest_counts.skipped_lines(os.path.join(self.root, "none.xml")), [])
        self.assertEqual(ctest_counts.counts(os.path.join(self.root, "none.xml")), (0, 0, 0))


if __name__ == "__main__":
    unittest.main()
