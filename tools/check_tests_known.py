"""Checks that CTest runs every test that is written down: `check_tests_known.py build-folder [root]`.

Every TEST in a tests/**/*_test.cpp must be a CTest test, and every tests/**/*_test.py and *_test.lua part of a command.
"""

import json
import os
import re
import subprocess
import sys

import source_tree

TEST = re.compile(r"^\s*(?:TYPED_)?TEST(?:_[FP])?\(\s*(\w+)\s*,\s*(\w+)\s*\)", re.MULTILINE)
SCRIPT_ENDINGS = ("_test.py", "_test.lua")


def listing(build):
    """(names, commands) of all tests that CTest knows in a built folder."""
    command = ["ctest", "--test-dir", build, "--show-only=json-v1"]
    result = subprocess.run(command, capture_output=True, check=True, text=True)
    tests = json.loads(result.stdout)["tests"]
    return [test["name"] for test in tests], [" ".join(test.get("command", [])) for test in tests]


def cxx_problems(path, content, names):
    cases = TEST.findall(content)
    if not cases:
        return [f"{path}: holds no test"]
    # Parameterised names are "folder.Instance/Suite.Name/0".
    known = {part for name in names for part in re.findall(r"(\w+(?:/\w+)?\.\w+)(?:/|$)", name)}
    return [f"{path}: CTest does not know {suite}.{name}" for suite, name in cases
            if not any(re.search(rf"(^|[./]){suite}(/\w+)?\.{name}$", other) for other in known)]


def problems(root, names, commands):
    found = []
    for path in source_tree.files(root):
        if not path.startswith("tests/"):
            continue
        if path.endswith("_test.cpp"):
            found += cxx_problems(path, source_tree.text(root, path), names)
        elif path.endswith(SCRIPT_ENDINGS) and not any(path in command for command in commands):
            found.append(f"{path}: no CTest command names it")
    return found


def main(build, root):
    names, commands = listing(build)
    found = problems(root, names, commands)
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1],
                  sys.argv[2] if len(sys.argv) > 2 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
