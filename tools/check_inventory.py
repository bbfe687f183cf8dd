"""Checks that nothing lies in the tree without being used: `check_inventory.py [root]`.

Operators are registered and judged, runners have their fixed files, no file names a machine's own folders or leaves
work for later.
"""

import os
import re
import sys

import source_tree

# Written in pieces, so that this file does not find itself.
LATER = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "X" + "XX", "HA" + "CK")) + r")\b")
MACHINE_PATH = re.compile("(?<![\\w.~}$/-])/(" + "|".join(("ho" + "me", "ro" + "ot", "wo" + "rk", "Us" + "ers")) + r")/\w")
RUNNER_FILES = ("manifest.yaml", "README.md")


def operator_problems(root, names):
    found = []
    if "src/model/op_spec.cpp" not in names:
        return found
    listed = source_tree.text(root, "src/model/op_spec.cpp")
    for path in names:
        match = re.fullmatch(r"src/model/ops/(\w+)\.cpp", path)
        if match is None:
            continue
        if f"{match[1]}_spec()" not in listed:
            found.append(f"{path}: {match[1]}_spec() is not in builtin_ops()")
        if not any(re.fullmatch(rf"src/oracle/ops/{match[1]}\.(cpp|hpp)", other) for other in names):
            found.append(f"{path}: has no file of that name in src/oracle/ops")
    return found


def runner_problems(root, names):
    folders = {path.split("/")[1] for path in names if path.startswith("runners/") and path.count("/") > 1}
    found = []
    for folder in sorted(folders):
        # _template holds one runner for each language, made into a runner by `dlbench new-runner`.
        if folder.startswith("_"):
            continue
        for file in RUNNER_FILES:
            if f"runners/{folder}/{file}" not in names:
                found.append(f"runners/{folder}: has no {file}")
    return found


def text_problems(root, names):
    found = []
    for path in names:
        content = source_tree.text(root, path)
        if content is None:
            continue
        for number, line in enumerate(content.splitlines(), start=1):
            for pattern, reason in ((LATER, "leaves work for later"), (MACHINE_PATH, "names a machine's own folder")):
                match = pattern.search(line)
                if match is not None:
                    found.append(f"{path}:{number}: '{match[0]}' {reason}")
    return found


def problems(root):
    names = source_tree.files(root)
    return operator_problems(root, set(names)) + runner_problems(root, set(names)) + text_problems(root, names)


def main(root):
    found = problems(root)
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
