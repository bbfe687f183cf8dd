"""The files of the tree that the checks look at."""

import os
import subprocess

SKIPPED_FOLDERS = {".git", ".cache", "build", "__pycache__"}
CXX_ENDINGS = (".c", ".cpp", ".h", ".hpp")


def _listed_by_git(root):
    command = ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        result = subprocess.run(command, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None  # an unpacked archive, or no git on this machine
    return [os.fsdecode(name) for name in result.stdout.split(b"\0") if name]


def _found_on_disk(root):
    names = []
    for folder, subfolders, files in os.walk(root):
        subfolders[:] = [
            name for name in subfolders
            if name not in SKIPPED_FOLDERS and not (folder == root and name.startswith("workspace"))
        ]
        names += [os.path.relpath(os.path.join(folder, name), root) for name in files]
    return names


def files(root):
    """Paths relative to `root`, sorted: tracked and new ones, no ignored ones, nothing of third_party."""
    names = _listed_by_git(root) if os.path.exists(os.path.join(root, ".git")) else None
    if names is None:
        names = _found_on_disk(root)
    return sorted(name for name in set(names)
                  if not name.startswith("third_party/") and os.path.isfile(os.path.join(root, name)))


def cxx_files(root):
    return [name for name in files(root) if name.endswith(CXX_ENDINGS)]


def shell_scripts(root):
    """Files whose first line names sh or bash."""
    found = []
    for name in files(root):
        with open(os.path.join(root, name), "rb") as file:
            first = file.readline(64)
        if first.startswith(b"#!") and first.rstrip().endswith((b"/sh", b"/bash", b" bash", b" sh")):
            found.append(name)
    return found


def text(root, name):
    """Content of a text file; None when it is binary."""
    with open(os.path.join(root, name), "rb") as file:
        content = file.read()
    if b"\0" in content:
        return None
    return content.decode("utf-8", errors="replace")
