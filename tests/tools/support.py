"""A small tree on disk for one test, and the tools on the import path."""

import os
import shutil
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOLS = os.path.join(ROOT, "tools")
sys.path.insert(0, TOOLS)
sys.dont_write_bytecode = True


class TreeTest(unittest.TestCase):
    """`self.root` is an empty folder; `write` fills it."""

    def setUp(self):
        self.root = tempfile.mkdtemp(prefix="dlbench-tools-")
        self.addCleanup(shutil.rmtree, self.root)

    def write(self, name, content=""):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
