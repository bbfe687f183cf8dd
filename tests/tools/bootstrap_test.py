"""tools/bootstrap against a machine made of three scripts: dpkg-query, apt-get and id."""

import os
import subprocess
import unittest

from support import TOOLS, TreeTest

LIST = """# comment
[build]  # comment
one
two  # why
[check]
three
"""


class Bootstrap(TreeTest):

    def setUp(self):
        super().setUp()
        self.write("packages.txt", LIST)
        self.program("dpkg-query", 'for p in $INSTALLED; do [ "$p" = "$3" ] && printf installed; done; exit 0')
        self.program("apt-get", 'echo "$@" >> "$LOG"; case "$1" in install) exit "${INSTALL_STATUS:-0}" ;; esac')
        self.program("id", "echo 0")
        self.log = os.path.join(self.root, "log")

    def program(self, name, body):
        self.write("bin/" + name, "#!/bin/sh\n" + body + "\n")
        os.chmod(os.path.join(self.root, "bin", name), 0o755)

    def bootstrap(self, *arguments, **variables):
        environment = {
            "PATH": os.path.join(self.root, "bin") + ":/usr/bin:/bin",
            "DLBENCH_PACKAGES": os.path.join(self.root, "packages.txt"),
            "LOG": self.log,
            **variables,
        }
        return subprocess.run([os.path.join(TOOLS, "bootstrap"), *arguments], env=environment, capture_output=True,
                              text=True, check=False, timeout=60)

    def calls(self):
        if not os.path.exists(self.log):
            return []
        with open(self.log, encoding="utf-8") as file:
            return file.read().splitlines()

    def test_nothing_missing_means_no_call(self):
        result = self.bootstrap(INSTALLED="one two three")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertEqual(self.calls(), [])

    def test_only_what_is_missing_is_installed(self):
        result = self.bootstrap(INSTALLED="one three")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(self.calls()), 2)
        self.assertTrue(self.calls()[0].startswith("update"))
        self.assertTrue(self.calls()[1].endswith(" two"), self.calls()[1])

    def test_only_the_sections_asked_for_count(self):
        self.assertEqual(self.bootstrap("build", INSTALLED="one two").returncode, 0)
        self.assertEqual(self.calls(), [])
        self.assertEqual(self.bootstrap("--list", "check").stdout, "three\n")
        self.assertEqual(self.bootstrap("--list").stdout, "one\ntwo\nthree\n")

    def test_an_unknown_section_is_refused(self):
        result = self.bootstrap("biuld", INSTALLED="")
        self.assertEqual(result.returncode, 1)
        self.assertIn("unknown section 'biuld'; known: build check", result.stderr)

    def test_a_failed_install_says_what_to_look_at(self):
        result = self.bootstrap(INSTALLED="", INSTALL_STATUS="100")
        self.assertEqual(result.returncode, 1)
        self.assertIn("could not install one two three", result.stderr)
        self.assertIn("network", result.stderr)

    def test_without_root_and_sudo_it_says_the_command(self):
        self.program("id", "echo 1000")
        # A folder with the few programs that are needed, and no sudo.
        for name in ("bash", "sed", "awk", "grep", "tr", "dirname", "printf", "env"):
            for folder in ("/bin", "/usr/bin"):
                if os.path.exists(f"{folder}/{name}") and not os.path.exists(f"{self.root}/bin/{name}"):
                    os.symlink(f"{folder}/{name}", f"{self.root}/bin/{name}")
        result = self.bootstrap(INSTALLED="one two", PATH=os.path.join(self.root, "bin"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("apt-get install three", result.stderr)


if __name__ == "__main__":
    unittest.main()
