"""A throw-away world of made-up frameworks: runners, a cache and a folder of packages that pip can install."""

import hashlib
import io
import os
import shutil
import subprocess
import tarfile
import tempfile
import time
import zipfile

import program

# Speaks the protocol by itself; no framework and no SDK.
_RUNNER = """import json, socket
import {imports}
host = socket.socket(fileno=3)
def send(message):
    host.sendall((json.dumps(message) + "\\n").encode())
send({{"abi": 1, "runner": "{name}", "language": "python", "framework": "fake", "version": "1", "build": "", "ops": [],
      "optimizers": [], "devices": ["cpu"], "precisions": ["fp32"], "deviations": [], "input": "alias"}})
for line in host.makefile():
    send({{"id": json.loads(line)["id"], "ok": True}})
    break
"""

# Builds a package of one module; only where the made-up package "wheel" is installed.
_BACKEND = """import os, sys, time, zipfile
import wheel_marker
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
def build_wheel(folder, config_settings=None, metadata_directory=None):
    open(os.path.join({root!r}, "building"), "w").close()
    while os.path.exists(os.path.join({root!r}, "slow")):
        time.sleep(0.1)
    name = "{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, name), "w") as file:
        for path, content in {files!r}.items():
            file.writestr(path, content)
    return name
"""


def _wheel_files(name, version, module):
    info = "%s-%s.dist-info" % (name, version)
    return {module + ".py": "value = 1\n",
            info + "/METADATA": "Metadata-Version: 2.1\nName: %s\nVersion: %s\n" % (name, version),
            info + "/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            info + "/RECORD": ""}


class World:
    def __init__(self):
        self.root = tempfile.mkdtemp(prefix="dlbench-install-")
        self.wheels = self.path("wheels")
        os.makedirs(self.wheels)
        os.makedirs(self.path("runners"))

    def remove(self):
        shutil.rmtree(self.root, ignore_errors=True)

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def env(self, name, version="1.0"):
        return self.path("cache", "frameworks", name, version, "env")

    def find(self, name, file_name):
        for folder, _, files in os.walk(self.env(name)):
            if file_name in files:
                return os.path.join(folder, file_name)
        return None

    def _extra(self):
        return {"DLBENCH_RUNNERS": self.path("runners"), "HOME": self.root, "PIP_CONFIG_FILE": os.devnull}

    def run(self, arguments):
        return program.run(arguments, cache=self.path("cache"), extra=self._extra())

    def start(self, arguments):
        return subprocess.Popen([program.PROGRAM] + arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                env=program.environment_of(self.path("cache"), self._extra()))

    def wait_for(self, name, seconds=240):
        end = time.monotonic() + seconds
        while not os.path.exists(self.path(name)):
            if time.monotonic() > end:
                raise AssertionError("%s did not appear" % name)
            time.sleep(0.02)

    @staticmethod
    def python_version():
        return subprocess.run(["/usr/bin/python3", "-c", "import platform; print(platform.python_version())"],
                              stdout=subprocess.PIPE, universal_newlines=True, check=True).stdout.strip()

    def _write(self, path, content, mode=0o644):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        os.chmod(path, mode)

    def _add_wheel(self, name, version, module):
        path = os.path.join(self.wheels, "%s-%s-py3-none-any.whl" % (name, version))
        if not os.path.exists(path):
            with zipfile.ZipFile(path, "w") as file:
                for member, content in _wheel_files(name, version, module).items():
                    file.writestr(member, content)
        return path

    def _add_source_package(self, name, version):
        path = os.path.join(self.wheels, "%s-%s.tar.gz" % (name, version))
        backend = _BACKEND.format(root=self.root, name=name, version=version,
                                  files=_wheel_files(name, version, name))
        files = {"backend.py": backend,
                 "pyproject.toml": '[build-system]\nrequires = ["wheel"]\nbuild-backend = "backend"\nbackend-path = ["."]\n',
                 "PKG-INFO": "Metadata-Version: 2.1\nName: %s\nVersion: %s\n" % (name, version)}
        with tarfile.open(path, "w:gz") as archive:
            for member, content in files.items():
                data = content.encode()
                entry = tarfile.TarInfo("%s-%s/%s" % (name, version, member))
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))
        return path

    def _add_package(self, name, version):
        if name == "sourcelib":
            return self._add_source_package(name, version)
        return self._add_wheel(name, version, "wheel_marker" if name == "wheel" else name)

    def make(self, name, packages, imports=None, python=">=3.6", versions=("1.0",), lock_hash=None, prepare=None, more=""):
        """A framework that is made of `packages`, {name: version}; its runner imports the first one."""
        lines = []
        for package, version in packages.items():
            with open(self._add_package(package, version), "rb") as file:
                digest = lock_hash or hashlib.sha256(file.read()).hexdigest()
            lines.append("%s==%s --hash=sha256:%s\n" % (package, version, digest))
        folder = self.path("runners", name)
        shutil.rmtree(folder, ignore_errors=True)
        lock = "\n    lock: lock.txt" if packages else ""
        entries = "".join('  - version: "%s"%s\n' % (version, lock) for version in versions)
        self._write(os.path.join(folder, "manifest.yaml"),
                    'name: %s\ntitle: A fake\nlanguage: python\npython: "%s"\n'
                    'start: ["{python}", "{runner}/main.py"]\nversions:\n%s%s' % (name, python, entries, more))
        if packages:
            self._write(os.path.join(folder, "lock.txt"), "".join(lines))
        if prepare:
            self._write(os.path.join(folder, "prepare"), "#!/bin/sh\n" + prepare + "\n", 0o755)
        self._write(os.path.join(folder, "main.py"),
                    _RUNNER.format(name=name, imports=imports or next(iter(packages), "os")))
