#!/usr/bin/env python3
"""Writes docs/matrices/KIND.md: frameworks through the gate as `dlbench verify` prints it, a row each.

    tools/make_matrices.py KIND [NAME@VERSION…]    KIND: operators, recipes, networks or faults

Without versions: every installed one, as many at once as CPUs allow. Takes hours for all, so the page is written after
each framework, other rows stay as they are, and the last column says when and on what processor a row was made; two runs where some cells are older.
What was proved before is taken from the cache. With --check nothing is written: exit status 1 if a row is not as the
page has it.
"""

import argparse
import concurrent.futures
import datetime
import fcntl
import os
import queue
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CPUS = sorted(os.sched_getaffinity(0))
OPTIONS = {"operators": ["--ops"], "recipes": ["--recipes"], "faults": ["--faults"],
           "networks": ["--networks", "--threads", str(os.cpu_count()), "--batch", "16"]}
NOT_RUN = "–"
MADE = "made"  # the last column


def cells_of(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


class Failed(Exception):
    """There is no row, and why."""


class Page:
    """Text, a table of one row for each framework, and notes below it: "- FRAMEWORK: what", or "- FRAMEWORK: ROW, ROW:
    what" where they belong to some columns."""

    def __init__(self, text):
        lines = text.splitlines()
        begin = next((i for i, line in enumerate(lines) if line.startswith("| framework |")), None)
        if begin is None:
            raise ValueError("has no table")
        rows = [line for line in lines[begin:] if line.startswith("|")]
        self.text = "\n".join(lines[:begin]).strip()
        self.columns = cells_of(rows[0])[1:]
        self.rows = {cells[0]: dict(zip(self.columns, cells[1:])) for cells in map(cells_of, rows[2:])}
        self.notes = [line for line in lines[begin:] if line.startswith("- ")]

    def merge(self, newer):
        """Takes the rows of `newer`, in its columns; what it did not run stays."""
        self.columns += [name for name in newer.columns if name not in self.columns]
        for framework, cells in newer.rows.items():
            before = self.rows.setdefault(framework, {})
            keeps_some = any(before.get(name, NOT_RUN) != NOT_RUN for name in set(before) - set(cells))
            runs = before.get(MADE, "").split(" / ") if keeps_some else []
            before.update(cells)
            before[MADE] = " / ".join([cells[MADE]] + [run for run in runs if run != cells[MADE]])
            kept = [self._without(note, framework, newer.columns) for note in self.notes]
            self.notes = [note for note in kept if note]
        self.notes = sorted(self.notes + newer.notes)

    def _without(self, note, framework, columns):
        """The note without its part about these columns of this framework; "" if nothing is left."""
        about = "- %s: " % framework
        if not note.startswith(about):
            return note
        names, colon, what = note[len(about):].partition(": ")
        if not colon or not re.fullmatch(r"\w+(, \w+)*", names):
            return ""
        others = [name for name in names.split(", ") if name in self.columns and name not in columns]
        return "%s%s: %s" % (about, ", ".join(others), what) if others else ""

    def __str__(self):
        columns = [name for name in self.columns if name != MADE] + [MADE]
        lines = ["| framework | %s |" % " | ".join(columns), "|---" * (len(columns) + 1) + "|"]
        for framework, cells in sorted(self.rows.items()):
            lines.append("| %s | %s |" % (framework, " | ".join(cells.get(name, NOT_RUN) for name in columns)))
        return "%s\n\n%s\n\n%s" % (self.text, "\n".join(lines), "".join(note + "\n" for note in self.notes))


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = re.search(r"^model name\s*: (.*)$", file.read(), re.MULTILINE)
    return names[1] if names else "unknown processor"


def verified(dlbench, arguments):
    """The table that dlbench prints. A row that is not OK is part of the result, a mistake or a bug is not."""
    done = subprocess.run([dlbench, "verify", *arguments], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode > 1:
        raise Failed("dlbench verify %s ended with status %d" % (" ".join(arguments), done.returncode))
    if "| framework |" not in done.stdout:
        raise Failed(done.stdout.strip())  # it is not installed, and why
    page = Page(done.stdout)
    made = "%s, %s CPUs, %s" % (datetime.date.today(), os.cpu_count(), processor())
    for cells in page.rows.values():
        cells[MADE] = made
    return page


def installed(dlbench):
    lines = subprocess.run([dlbench, "list", "frameworks"], stdout=subprocess.PIPE, text=True, check=True).stdout
    rows = [line.split() for line in lines.splitlines()[1:]]
    return ["%s@%s" % (row[0], row[2]) for row in rows if row[1] == "ready" and not row[0].startswith("null-")]


def differences(page, newer):
    """Lines that say where a row of `newer` is not as the page has it; the page may have cells that were not run."""
    found = ["the page has no column %s" % name for name in newer.columns if name not in page.columns]
    found += ["%s: the page has no row" % framework for framework in newer.rows if framework not in page.rows]
    for framework, cells in newer.rows.items():
        before = page.rows.get(framework, {})
        found += ["%s: %s is %s, the page says %s" % (framework, name, cells[name], before[name])
                  for name in newer.columns if before.get(name, NOT_RUN) not in (NOT_RUN, cells[name])]
    return found + ([note for note in newer.notes] if found else [])


def compare(path, newer):
    with open(path, encoding="utf-8") as file:
        return differences(Page(file.read()), newer)


def write(path, framework, newer):
    with open(path, "r+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # others may be at work on other rows
        page = Page(file.read())
        page.merge(newer)
        file.seek(0)
        file.truncate()
        file.write(str(page))
    print("make_matrices: %s is in %s" % (framework, path), flush=True)
    return []


def arguments_of_user():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=sorted(OPTIONS))
    parser.add_argument("frameworks", nargs="*", metavar="NAME@VERSION")
    parser.add_argument("--only", metavar="NAMES", help="these columns, comma-separated; not for operators and recipes")
    parser.add_argument("--check", action="store_true", help="compare with the page instead of writing it")
    parser.add_argument("--fresh", action="store_true", help="prove again, even if a certificate is cached")
    parser.add_argument("--dlbench", default=os.path.join(ROOT, "build/release/bin/dlbench"), help="the program")
    parser.add_argument("--pages", default=os.path.join(ROOT, "docs/matrices"), help="the pages' folder")
    user = parser.parse_intermixed_args()
    if user.only and user.kind in ("operators", "recipes"):
        parser.error("--only: notes of %s do not name their columns" % user.kind)
    return user


def main():
    user = arguments_of_user()
    path = os.path.join(user.pages, user.kind + ".md")
    options = OPTIONS[user.kind] + ["--markdown"] + ["--fresh"] * user.fresh
    options += ["--only", user.only] if user.only else []
    frameworks = user.frameworks or installed(user.dlbench)

    def take(framework):
        try:
            newer = verified(user.dlbench, options + [framework])
        except Failed as why:
            return [str(why)]
        return compare(path, newer) if user.check else write(path, framework, newer)

    count = 1 if user.kind == "networks" else max(1, min(len(frameworks), len(CPUS)))
    shares = queue.SimpleQueue()  # of the CPUs, one for each thread; what it starts inherits that
    for i in range(count):
        shares.put(CPUS[i::count])
    with concurrent.futures.ThreadPoolExecutor(count, initializer=lambda: os.sched_setaffinity(0, shares.get())) as pool:
        found = [line for lines in pool.map(take, frameworks) for line in lines]
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main()
