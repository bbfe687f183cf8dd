"""Prints `passed failed skipped` of a CTest JUnit file (`0 0 0` when there is none) and a line for each skipped test."""

import os
import sys
import xml.etree.ElementTree


def skipped_lines(path):
    """`NAME: last line of what it printed` of each test that skipped itself."""
    if not os.path.exists(path):
        return []
    lines = []
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        if case.find("skipped") is not None:
            printed = (case.findtext("system-out") or "").strip().splitlines()
            lines.append("%s: %s" % (case.get("name"), printed[-1] if printed else "without a word"))
    return lines


def counts(path):
    if not os.path.exists(path):
        return 0, 0, 0
    suite = xml.etree.ElementTree.parse(path).getroot()
    passed = failed = skipped = 0
    for case in suite.iter("testcase"):
        status = case.get("status")
        if status == "run":
            passed += 1
        elif status == "fail":
            failed += 1
        else:
            skipped += 1
    return passed, failed, skipped


if __name__ == "__main__":
    print(*counts(sys.argv[1]))
    for line in skipped_lines(sys.argv[1]):
        print(line)
