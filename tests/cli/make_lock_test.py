"""The lock file that tools/make_lock.py writes is one that the installer takes; packages come from a folder."""

import os
import shutil
import subprocess
import unittest

import program
import runner_world

TOOL = os.path.join(program.SOURCE, "tools", "make_lock.py")


class MakeLock(unittest.TestCase):
    def setUp(self):
        self.world = runner_world.World()
        self.addCleanup(self.world.remove)
        self.world.make("fake", {"tensorlib": "1.5", "otherlib": "0.1"})

    def make_lock(self, *arguments):
        environment = {"PATH": "/usr/bin:/bin", "HOME": self.world.root, "PIP_CONFIG_FILE": os.devnull,
                       "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": self.world.wheels}
        return subprocess.run(["/usr/bin/python3", "-B", TOOL] + list(arguments), env=environment, timeout=250,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)

    def test_what_it_writes_is_what_gets_installed(self):
        lock = self.world.path("runners", "fake", "lock.txt")
        with open(lock, encoding="utf-8") as file:
            by_hand = file.read().splitlines()
        kept = self.world.path("kept")
        result = self.make_lock("--python", ">=3.6", "--output", lock, "--keep", kept, "tensorlib==1.5", "otherlib")
        self.assertEqual(result.returncode, 0, result.stderr)
        with open(lock, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual([line for line in lines if not line.startswith("#")], sorted(by_hand))
        self.assertIn("# tools/make_lock.py --python '>=3.6' ", "\n".join(lines))
        self.assertNotIn("://", "\n".join(lines))
        shutil.rmtree(self.world.wheels)
        installed = self.world.run(["install", "fake", "--wheels", kept])
        self.assertEqual(installed.returncode, 0, installed.stdout + installed.stderr)

    def test_mistakes_leave_the_lock_file_as_it_was(self):
        lock = self.world.path("lock.txt")
        with open(lock, "w", encoding="utf-8") as file:
            file.write("before\n")
        for arguments, message in ((["--python", "3.6", "tensorlib"], "is not a range"),
                                   (["--python", "<2.7,>=2.6", "tensorlib"], "no Python"),
                                   (["--python", ">=3.6", "--keep", self.world.wheels, "tensorlib"], "is not empty"),
                                   (["--python", ">=3.6", "tensorlib==9"], "No matching distribution")):
            result = self.make_lock("--output", lock, *arguments)
            self.assertNotEqual(result.returncode, 0, arguments)
            self.assertIn(message, result.stderr)
        with open(lock, encoding="utf-8") as file:
            self.assertEqual(file.read(), "before\n")


if __name__ == "__main__":
    unittest.main()
