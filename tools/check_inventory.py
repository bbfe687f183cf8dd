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
FRAMEWORKS_PAGE = "docs/frameworks.md"
MANIFEST_VERSION = re.compile(r'^ *- version: *"?([^"# \n]+)', re.MULTILINE)


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


def frameworks_page_problems(root, names):
    """Every version that a manifest offers stands in its runner's row of the page."""
    page = source_tree.text(root, FRAMEWORKS_PAGE) if FRAMEWORKS_PAGE in names else None
    if page is None:
        return []
    table = page.partition("\n## Runners\n")[2].partition("\n## ")[0]  # others have a framework in front too
    rows = {line.split("|")[1].strip(): line for line in table.splitlines() if line.count("|") > 3}
    found = []
    for path in sorted(names):
        match = re.fullmatch(r"runners/([^_/][^/]*)/manifest\.yaml", path)
        if match is None or match[1].startswith("null-"):
            continue
        for version in MANIFEST_VERSION.findall(source_tree.text(root, path)):
            if version not in re.split(r"[|, ]+", rows.get(match[1], "")):
                found.append(f"{FRAMEWORKS_PAGE}: {match[1]} {version} is not in the table of runners")
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
    known = set(names)
    return (operator_problems(root, known) + runner_problems(root, known) + frameworks_page_problems(root, known)
            + text_problems(root, names))


def main(root):
    found = problems(root)
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
