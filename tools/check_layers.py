"""Checks every #include against tools/layers.txt: `check_layers.py [root]`.

A folder may include itself and what its line allows; a header that shows a third-party library may only be included by
its own folder.
"""

import os
import re
import sys

import source_tree

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
THIRD_PARTY = re.compile(r"^(nlohmann/|yaml-cpp/|CLI/|boost/|sqlite3|xxhash|zlib|hwloc|cblas|dnnl|oneapi/|torch/|ATen/)")
# Folders of src/ that consist of parts with rules of their own.
SPLIT_FOLDERS = ("runner_sdk",)


def read_layers(text):
    """{unit: set of allowed units}; each line may only allow units listed above it, so there is no cycle."""
    layers = {}
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        unit, _, allowed = line.partition(":")
        names = set(allowed.split()) - {"-"}
        if "*" in names:
            names = {name for name in layers if "/" not in name}
        for name in names - set(layers):
            raise ValueError(f"tools/layers.txt: '{unit}' allows '{name}', which is not listed above it")
        layers[unit] = names
    return layers


def unit_of(path):
    """The unit that a file of the tree belongs to; None when no rule is about it."""
    parts = path.split("/")
    if parts[0] == "src" and len(parts) > 2:
        if parts[1] in SPLIT_FOLDERS and len(parts) > 3:
            return "/".join(parts[1:3])
        return parts[1]
    if parts[0] == "apps" and len(parts) > 2:
        return "/".join(parts[0:2])
    if parts[0] == "runners" and len(parts) > 2:
        return "runners/*"
    return None


def resolve(including, included, known):
    """The file of the tree that an #include "…" means; None when there is none."""
    candidates = [
        os.path.normpath(os.path.join(os.path.dirname(including), included)),
        "src/" + included,
        "apps/" + included,
        # The C headers of the runner library lie side by side once installed.
        "src/protocol/" + included,
        "src/runner_sdk/c/" + included,
    ]
    for candidate in candidates:
        if candidate in known:
            return candidate
    return None


def problems(root):
    layers = read_layers(source_tree.text(root, "tools/layers.txt"))
    known = set(source_tree.cxx_files(root))
    shown = {}  # header -> third-party include in it
    used = []  # (including file, header)
    found = []
    for path in sorted(known):
        unit = unit_of(path)
        if unit is None:
            continue
        if unit not in layers:
            found.append(f"{path}: its folder has no line in tools/layers.txt")
            continue
        for kind, included in INCLUDE.findall(source_tree.text(root, path)):
            if kind == "<":
                if THIRD_PARTY.match(included) and path.endswith((".h", ".hpp")):
                    shown[path] = included
                continue
            target = resolve(path, included, known)
            if target is None:
                found.append(f'{path}: "{included}" is no file of the tree (third-party headers stand in <>)')
                continue
            used.append((path, target))
            other = unit_of(target)
            if other != unit and other not in layers[unit]:
                allowed = " ".join(sorted(layers[unit])) or "nothing"
                found.append(f'{path}: includes "{included}" of {other}; {unit} may include: {allowed}')
    for path, header in used:
        if header in shown and unit_of(path) != unit_of(header):
            found.append(f"{header}: shows <{shown[header]}> to {path}; third-party types stay inside a folder")
    return found


def main(root):
    found = problems(root)
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
