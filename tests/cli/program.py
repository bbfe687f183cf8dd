"""Runs the built dlbench as a user would and keeps its cache out of the user's home."""

import gzip
import os
import struct
import subprocess
import tempfile

PROGRAM = os.environ["DLBENCH_PROGRAM"]
SOURCE = os.environ["DLBENCH_SOURCE"]


def environment_of(cache=None, extra=None):
    environment = {"PATH": os.environ["PATH"], "HOME": tempfile.gettempdir(), "LANG": "C.UTF-8"}
    environment["DLBENCH_CACHE"] = cache or os.path.join(tempfile.gettempdir(), "dlbench-cli-cache")
    environment.update(extra or {})
    for name in ("ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"):
        if name in os.environ:
            environment[name] = os.environ[name]
    return environment


def run(arguments, cwd=None, cache=None, extra=None, timeout=250):
    return subprocess.run([PROGRAM] + arguments, cwd=cwd, env=environment_of(cache, extra), timeout=timeout,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)


def _write_idx(path, dims, payload):
    header = struct.pack(">HBB", 0, 8, len(dims)) + b"".join(struct.pack(">I", d) for d in dims)
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(header + payload)


def write_small_dataset(folder, train=1000, test=96):
    """A data set in the official format: image i has a bright bar whose row is its label."""
    for split, count in (("train", train), ("t10k", test)):
        images = bytearray()
        labels = bytearray()
        for i in range(count):
            label = (i * 7 + i // 10) % 10
            image = bytearray((i * 31 + k * 17) % 40 for k in range(784))
            for column in range(28):
                for row in (2 * label + 3, 2 * label + 4):
                    image[row * 28 + column] = 200 + (i + column) % 50
            images += image
            labels.append(label)
        _write_idx(os.path.join(folder, split + "-images-idx3-ubyte.gz"), [count, 28, 28], bytes(images))
        _write_idx(os.path.join(folder, split + "-labels-idx1-ubyte.gz"), [count], bytes(labels))


def write_script(path, commands):
    with open(path, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\nset -e\n" + commands + "\n")
    os.chmod(path, 0o755)
