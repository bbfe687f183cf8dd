#!/usr/bin/python3
"""Compile commands for clang-tidy: `tidy_commands.py build-folder source-folder [regex]` writes them as JSON to stdout.

A build that compiles several files as one has commands for these unity files only. Without a regex they are kept, as one
reading of the headers serves many files; with one, the files that match it get a command each.
"""

import json
import pathlib
import re
import sys

# Precompiled headers are left out: clang-tidy would look at all that they hold, whether a file uses it or not.
PRECOMPILED = re.compile(r'-Winvalid-pch|-Xclang -include(-pch)? -Xclang [^ "]+')


def parts_of(unity: str) -> list[str]:
    """The files that a unity file includes."""
    return re.findall(r'^#include "([^"]+)"', pathlib.Path(unity).read_text(encoding="utf-8"), re.MULTILINE)


def linted(source: str, root: str) -> bool:
    """Whether clang-tidy answers for this file: what is ours and ships."""
    return source.endswith(".cpp") and source.startswith((f"{root}/src/", f"{root}/apps/"))


def main() -> None:
    """Reads, chooses, writes."""
    build, root = sys.argv[1:3]
    wanted = re.compile(sys.argv[3]) if len(sys.argv) > 3 else None
    result = []
    for entry in json.loads(pathlib.Path(build, "compile_commands.json").read_text(encoding="utf-8")):
        file = entry["file"]
        entry["command"] = PRECOMPILED.sub("", entry["command"])
        is_unity = "/Unity/unity_" in file
        sources = [source for source in (parts_of(file) if is_unity else [file]) if linted(source, root)]
        if wanted is None and sources:
            result.append(entry)
            continue
        for source in filter(lambda name: wanted and wanted.search(name), sources):
            result.append({**entry, "file": source, "command": entry["command"].replace(file, source)})
    json.dump(result, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
