"""Installs made-up frameworks with the real pip, from wheels made on the spot: nothing here needs a network."""

import os
import re
import signal
import unittest

import program
import runner_world


class Install(unittest.TestCase):
    def setUp(self):
        self.world = runner_world.World()
        self.addCleanup(self.world.remove)

    def install(self, *arguments):
        return self.world.run(["install"] + list(arguments) + ["--wheels", self.world.wheels])

    def assert_ready(self, name, state="ready"):
        self.assertRegex(self.world.run(["list"]).stdout, r"(?m)^%s +%s " % (name, state))

    def assert_one_message(self, result, *parts):
        self.assertEqual(result.returncode, 1, result.stderr)
        lines = [line for line in result.stdout.splitlines() if "not installed:" in line]
        self.assertEqual(len(lines), 1, result.stdout)
        for part in parts:
            self.assertIn(part, lines[0])

    def test_packages_come_from_the_folder_and_the_list_says_what_is_there(self):
        self.world.make("fake", {"tensorlib": "1.5"})
        result = self.install("fake")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"fake 1\.0: installed, \d+ MB")
        python = re.escape(self.world.python_version())
        self.assertRegex(self.world.run(["list", "frameworks"]).stdout, r"fake +ready +1\.0 +\d+ MB +%s +" % python)
        self.assertRegex(self.install("fake").stdout, r"fake 1\.0: already installed")

    def test_wrong_hash_is_one_message_and_harms_nothing_else(self):
        self.world.make("good", {"tensorlib": "1.5"})
        self.world.make("bad", {"tensorlib": "1.5"}, lock_hash="0" * 64)
        result = self.install("bad", "good")
        self.assert_one_message(result, "bad 1.0", "Expected sha256 " + "0" * 64)
        self.assert_ready("good")
        self.assert_ready("bad", "broken")

    def test_package_that_is_not_in_the_folder(self):
        self.world.make("fake", {"tensorlib": "1.5"})
        for name in os.listdir(self.world.wheels):
            os.unlink(os.path.join(self.world.wheels, name))
        self.assert_one_message(self.install("fake"), "No matching distribution found for tensorlib==1.5")

    def test_runner_that_dies_at_import(self):
        self.world.make("good", {"tensorlib": "1.5"})
        self.world.make("bad", {"tensorlib": "1.5"}, imports="tensorlib.missing_part")
        result = self.install("bad", "good")
        self.assert_one_message(result, "bad 1.0", "did not start", "missing_part")
        self.assert_ready("good")

    def test_what_builds_comes_first_and_from_the_lock_alone(self):
        # "wheel" here is made up too; the source package can be built only where it is installed already.
        self.world.make("fake", {"sourcelib": "2.0", "wheel": "9.9"})
        result = self.install("fake")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_lost_library_is_noticed_and_mended(self):
        self.world.make("fake", {"tensorlib": "1.5"})
        self.assertEqual(self.install("fake").returncode, 0)
        os.unlink(self.world.find("fake", "tensorlib.py"))
        result = self.install("fake")
        self.assertIn("installing it again", result.stderr)
        self.assertIn("fake 1.0: installed", result.stdout)
        self.assertTrue(self.world.find("fake", "tensorlib.py"))

    def test_lost_interpreter_is_named_and_mended(self):
        self.world.make("fake", {"tensorlib": "1.5"})
        self.assertEqual(self.install("fake").returncode, 0)
        python = os.path.join(self.world.env("fake"), "bin", "python")
        os.unlink(python)
        os.symlink("/no/such/python3", python)
        listed = self.world.run(["list"]).stdout
        self.assertIn(python + " is gone; repeat: dlbench install fake", listed)
        self.assertEqual(self.install("fake").returncode, 0)
        self.assert_ready("fake")

    def test_killed_within_pip(self):
        self.world.make("fake", {"sourcelib": "2.0", "wheel": "9.9"})
        slow = self.world.path("slow")
        with open(slow, "w", encoding="utf-8"):
            pass
        installer = self.world.start(["install", "fake", "--wheels", self.world.wheels])
        self.world.wait_for("building")
        installer.send_signal(signal.SIGKILL)
        installer.wait()
        self.assertFalse(os.path.exists(os.path.join(self.world.env("fake"), "..", "READY")))
        self.assertIn("an installation was broken off", self.world.run(["list"]).stdout)
        os.unlink(slow)
        self.assertEqual(self.install("fake").returncode, 0)
        self.assert_ready("fake")

    def test_two_of_the_same_wait_and_two_others_do_not(self):
        # Each prepare script waits for the other one: in turns they would never end.
        for own, other in (("one", "two"), ("two", "one")):
            self.world.make(own, {}, prepare="touch %s; while [ ! -e %s ]; do sleep 0.05; done"
                            % (self.world.path(own), self.world.path(other)))
        started = [self.world.start(["install", name]) for name in ("one", "two", "one", "two")]
        for process in started:
            self.assertEqual(process.wait(timeout=200), 0)
        self.assert_ready("one")
        self.assert_ready("two")

    def test_all_tells_what_is_not_possible_and_fails_only_for_the_rest(self):
        self.world.make("good", {"tensorlib": "1.5"})
        self.world.make("old", {"tensorlib": "1.5"}, python=">=2.6,<3")
        self.world.make("rare", {}, more="system_packages: [dlbench-no-such-package]\n")
        result = self.install("--all")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        told = result.stdout[result.stdout.index("not possible on this machine:"):]
        self.assertRegex(told, r"old 1\.0: needs Python >=2\.6,<3; .*pyenv install 2\.6")
        self.assertRegex(told, r"rare 1\.0: .*sudo apt-get install dlbench-no-such-package")
        self.assertNotIn("good", told)
        self.assert_ready("good")
        # Unless it was named.
        self.assert_one_message(self.install("rare", "--all"), "apt-get install dlbench-no-such-package")
        self.world.make("bad", {"tensorlib": "1.5"}, imports="no_such_module")
        self.assertEqual(self.install("--all").returncode, 1)
        # What is named must succeed.
        self.assert_one_message(self.install("rare"), "apt-get install dlbench-no-such-package")
        self.assertRegex(self.world.run(["list"]).stdout, r"rare +absent .*apt-get install dlbench-no-such-package")

    def test_interpreter_of_ones_own(self):
        self.world.make("fake", {"tensorlib": "1.5"}, python=">=3.6")
        old = self.world.path("python-of-old")
        program.write_script(old, "echo 3.4.9")
        self.assert_one_message(self.install("fake", "--python", old), "needs Python >=3.6", "python-of-old (3.4.9)")
        self.assertEqual(self.install("fake", "--python", "/usr/bin/python3").returncode, 0)
        result = self.install("fake", "--python", "/no/such/python3")
        self.assertEqual(result.returncode, 2)
        self.assertIn("/no/such/python3", result.stderr)

    def test_uninstall_takes_one_version_and_what_no_manifest_names(self):
        self.world.make("fake", {"tensorlib": "1.5"}, versions=("1.0", "2.0"))
        self.assertEqual(self.install("fake", "fake@2.0").returncode, 0)
        self.assertIn("fake 1.0: removed", self.world.run(["uninstall", "fake"]).stdout)
        listed = self.world.run(["list"]).stdout
        self.assertRegex(listed, r"fake +absent +1\.0 ")
        self.assertRegex(listed, r"fake +ready +2\.0 ")
        self.world.make("fake", {"tensorlib": "1.5"}, versions=("1.0",))
        self.assertRegex(self.world.run(["list"]).stdout, r"fake +left +2\.0 .*dlbench uninstall fake@2\.0")
        self.assertIn("fake 2.0: removed", self.world.run(["uninstall", "fake@2.0"]).stdout)
        self.assertNotIn("left", self.world.run(["list"]).stdout)
        self.assertIn("was not installed", self.world.run(["uninstall", "fake"]).stdout)
        for text in ("fake@2.0", "fkae", "fake@../1.0"):
            self.assertEqual(self.world.run(["uninstall", text]).returncode, 2, text)


if __name__ == "__main__":
    unittest.main()
