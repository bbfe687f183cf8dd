#!/usr/bin/env python3
"""Writes the lock file of a runner: every package that gets installed, with its exact version and hash.

    tools/make_lock.py --python '>=3.12,<3.13' --output runners/jax/lock-0.10.2.txt jax==0.10.2

The packages are chosen and downloaded by pip itself in an environment that is thrown away, from wherever the user's
pip configuration says. The last line of the file's comment is the command that made it: to renew a pin, change that
line and run it.
"""

import argparse
import glob
import hashlib
import os
import platform
import re
import shlex
import subprocess
import sys
import tarfile
import tempfile
import zipfile

# The pip that comes with an interpreter must know today's names of wheels, else the lock file has to bring another.
OLDEST_PIP = (20, 3)


def numbers(version):
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def fits(version, bounds):
    """Whether `version` lies in ">=3.9,<3.11"; missing parts count as 0, as in a manifest."""
    compare = {">=": lambda a, b: a >= b, "<=": lambda a, b: a <= b, "==": lambda a, b: a == b,
               ">": lambda a, b: a > b, "<": lambda a, b: a < b}
    for bound in bounds.split(","):
        match = re.fullmatch(r"\s*(>=|<=|==|>|<)\s*(\d+(?:\.\d+)*)\s*", bound)
        if not match:
            sys.exit("'%s' is not a range of versions; write it like '>=3.11,<3.14'" % bounds)
        limit = numbers(match.group(2))
        if not compare[match.group(1)]((version + (0, 0, 0))[:3], (limit + (0, 0, 0))[:3]):
            return False
    return True


def interpreter(bounds):
    """Path and version of the first interpreter that fits, sought where the installer seeks."""
    found = ["/usr/bin/python3"]
    found += [os.path.join(folder, "python3.%d" % minor) for minor in range(30, 4, -1)
              for folder in os.environ.get("PATH", "").split(":") if folder]
    pyenv = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
    found += sorted(glob.glob(os.path.join(pyenv, "versions/*/bin/python")), reverse=True)
    for path in found:
        if os.access(path, os.X_OK):
            answer = subprocess.run([path, "-I", "-c", "import platform; print(platform.python_version())"],
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
            version = numbers(answer.stdout.decode())
            if answer.returncode == 0 and fits(version, bounds):
                return path, version
    lowest = re.search(r"[>=]=\s*([\d.]+)", bounds)
    sys.exit("no Python %s on this machine; get one with: pyenv install %s" % (bounds, lowest.group(1) if lowest else "3"))


class Scratch:
    """An environment of its own for pip."""

    def __init__(self, python, folder):
        self.python = os.path.join(folder, "env", "bin", "python")
        self._call([python, "-m", "venv", os.path.join(folder, "env")])
        self.came_with = numbers(self._output(["-m", "pip", "--version"]).split()[1])
        if self.came_with < OLDEST_PIP:
            self.pip(["install", "--upgrade", "pip", "setuptools", "wheel"])

    @staticmethod
    def _call(command):
        # What is told goes where errors go, so that the lock file can be written to the standard output.
        if subprocess.run(command, stdout=sys.stderr, check=False).returncode != 0:
            sys.exit("failed: " + " ".join(command))

    def _output(self, arguments):
        return subprocess.run([self.python] + arguments, stdout=subprocess.PIPE, check=True,
                              universal_newlines=True).stdout

    def pip(self, arguments):
        self._call([self.python, "-m", "pip", "--disable-pip-version-check", "--no-input"] + arguments)


def identity(path):
    """Name and version of a downloaded package."""
    name = os.path.basename(path)
    if name.endswith(".whl"):
        return tuple(name.split("-")[:2])
    if name.endswith(".zip"):
        with zipfile.ZipFile(path) as archive:
            member = min((one for one in archive.namelist() if one.endswith("/PKG-INFO")), key=len)
            text = archive.read(member).decode()
    else:
        with tarfile.open(path) as archive:
            member = min((one for one in archive.getnames() if one.endswith("/PKG-INFO")), key=len)
            text = archive.extractfile(member).read().decode()
    return tuple(re.search(r"(?m)^%s:\s*(\S+)" % key, text).group(1) for key in ("Name", "Version"))


def lines_of(folder):
    lines = []
    for path in glob.glob(os.path.join(folder, "*")):
        digest = hashlib.sha256()
        with open(path, "rb") as file:
            for block in iter(lambda: file.read(1 << 20), b""):
                digest.update(block)
        lines.append("%s==%s --hash=sha256:%s" % (*identity(path), digest.hexdigest()))
    return sorted(lines, key=str.lower)


def names_in(requirements):
    return {re.split(r"[^A-Za-z0-9._-]", one)[0].lower() for one in requirements}


def download(scratch, options, folder):
    """What was asked for and, unless told otherwise, what that needs; then what installs and builds it."""
    dependencies = ["--no-deps"] if options.no_deps else []
    scratch.pip(["download", "--prefer-binary", "--dest", folder] + dependencies + options.requirements)
    builders = [] if scratch.came_with >= OLDEST_PIP else ["pip"]
    if not all(name.endswith(".whl") for name in os.listdir(folder)):
        builders += ["setuptools", "wheel"]
    missing = [name for name in builders if name not in names_in(options.requirements)]
    if missing:
        scratch.pip(["download", "--only-binary", ":all:", "--no-deps", "--dest", folder] + missing)


def comment(version, options):
    command = ["tools/make_lock.py", "--python", options.python]
    command += ["--no-deps"] if options.no_deps else []
    command += ["--output", options.output] if options.output else []
    words = " ".join(shlex.quote(word) for word in command + options.requirements)
    return ("# CPython %d.%d on %s %s. Every package that gets installed, nothing is resolved. Made by:\n# %s\n"
            % (*version[:2], platform.machine(), platform.system(), words))


def parse(arguments):
    parser = argparse.ArgumentParser(description="Write a runner's lock file.")
    parser.add_argument("--python", required=True, help="range of interpreters, as in the manifest")
    parser.add_argument("--output", help="the lock file; else standard output")
    parser.add_argument("--no-deps", action="store_true", help="only the packages that are named")
    parser.add_argument("--keep", help="leave the downloaded packages in this folder, for dlbench install --wheels")
    parser.add_argument("requirements", nargs="+", help="as pip takes them, such as jax==0.10.2")
    return parser.parse_args(arguments)


def main(arguments):
    options = parse(arguments)
    path, version = interpreter(options.python)
    with tempfile.TemporaryDirectory() as folder:
        packages = os.path.abspath(options.keep) if options.keep else os.path.join(folder, "packages")
        if os.path.isdir(packages) and os.listdir(packages):
            sys.exit("the folder %s is not empty: what lies there would get into the lock file" % packages)
        os.makedirs(packages, exist_ok=True)
        scratch = Scratch(path, folder)
        download(scratch, options, packages)
        text = comment(version, options) + "\n".join(lines_of(packages)) + "\n"
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main(sys.argv[1:])
