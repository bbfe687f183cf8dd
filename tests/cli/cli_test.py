"""Exit codes and messages of the command line: the user's mistakes are one clear message and exit code 2."""

import os
import tempfile
import unittest

import program


class CommandLine(unittest.TestCase):
    def assert_mistake(self, result, *parts):
        self.assertEqual(result.returncode, 2, result.stderr)
        for part in parts:
            self.assertIn(part, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertLessEqual(len(result.stderr.strip().splitlines()), 3, "one message, perhaps a hint:\n" + result.stderr)

    def study(self, old, new):
        with open(os.path.join(program.SOURCE, "studies", "quickstart.yaml"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn(old, text)
        handle, path = tempfile.mkstemp(suffix=".yaml")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new, 1))
        self.addCleanup(os.unlink, path)
        self.line = text[:text.index(old)].count("\n") + 1
        return path

    def test_help_lists_every_command(self):
        result = program.run(["--help"])
        self.assertEqual(result.returncode, 0)
        for command in ("list", "model", "install", "uninstall", "verify", "plan", "run", "status", "report", "doctor"):
            self.assertIn(command, result.stdout)
            self.assertEqual(program.run([command, "--help"]).returncode, 0, command)

    def test_model_show_gives_the_published_counts(self):
        result = program.run(["model", "show", "lenet"])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("431080 parameters", result.stdout)
        self.assertIn("2293000 multiply-adds", result.stdout)

    def test_model_export_is_read_back(self):
        exported = program.run(["model", "export", "lenet"])
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(exported.stdout)
            file.flush()
            again = program.run(["model", "export", file.name])
        self.assertEqual(again.stdout, exported.stdout)

    def test_model_export_writes_onnx(self):
        """LeNet's 431,080 weights are four bytes each; the rest of the file names them."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "lenet.onnx")
            result = program.run(["model", "export", "lenet", "--onnx", path])
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(path, "rb") as file:
                first = file.read()
            self.assertEqual(result.stdout, "%s: %d bytes\n" % (path, len(first)))
            self.assertTrue(4 * 431080 < len(first) < 4 * 431080 + 4096, len(first))
            program.run(["model", "export", "lenet", "--onnx", path, "--seed", "2"])
            with open(path, "rb") as file:
                self.assertNotEqual(file.read(), first, "another seed, other weights")
            self.assert_mistake(program.run(["model", "export", "lenet", "--onnx", os.path.join(folder, "no", "x.onnx")]),
                                "cannot write", "x.onnx")

    def test_unknown_command_suggests_the_nearest(self):
        self.assert_mistake(program.run(["verfy"]), "'verify'")

    def test_unknown_option(self):
        self.assert_mistake(program.run(["run", "x.yaml", "--blocks", "3"]), "--blocks")

    def test_missing_study_file(self):
        self.assert_mistake(program.run(["run", "no-such.yaml"]), "no-such.yaml")

    def test_unknown_study_key_has_line_and_suggestion(self):
        path = self.study("blocks: 7", "blokcs: 7")
        self.assert_mistake(program.run(["plan", path]), "%s:%d" % (path, self.line), "blokcs", "'blocks'")

    def test_unknown_framework_has_line_and_suggestion(self):
        path = self.study("[libtorch, jax, reference]", "[libtorch, jaxx, reference]")
        self.assert_mistake(program.run(["plan", path]), "%s:%d" % (path, self.line), "jaxx", "'jax'")

    def test_unknown_framework_to_install(self):
        self.assert_mistake(program.run(["install", "libtroch"]), "libtroch", "'libtorch'")

    def test_rows_of_a_table_are_checked_and_end_before_the_frameworks(self):
        self.assert_mistake(program.run(["verify", "--ops", "--only", "dens"]), "'dens'", "'dense'")
        self.assert_mistake(program.run(["verify", "--only", "dense"]), "--only", "--ops")
        self.assert_mistake(program.run(["verify", "--markdown"]), "--markdown", "--ops")
        # Options that a table would ignore.
        self.assert_mistake(program.run(["verify", "--ops", "--rate", "0.1"]), "--rate excludes --ops")
        self.assert_mistake(program.run(["verify", "--networks", "--model", "lenet"]), "--model excludes --networks")
        self.assert_mistake(program.run(["verify", "--recipes", "--inference"]), "--inference excludes --recipes")
        # The framework behind the list is no row of it.
        misspelt = program.run(["verify", "--ops", "--only", "dense,add", "libtroch"])
        self.assert_mistake(misspelt, "'libtroch'", "'libtorch'")

    def test_missing_data_set_says_how_to_get_it(self):
        path = self.study("data: fashion-mnist", "data: {name: fashion-mnist, folder: /no/such/folder}")
        self.assert_mistake(program.run(["plan", path]), "/no/such/folder", "dataset-fashion-mnist")

    def test_too_few_blocks_are_refused_with_the_number_needed(self):
        with tempfile.TemporaryDirectory() as folder:
            program.write_small_dataset(folder)
            path = self.study("blocks: 7", "blocks: 3")
            with open(path, encoding="utf-8") as file:
                text = file.read().replace("data: fashion-mnist", "data: {name: fashion-mnist, folder: %s}" % folder)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            self.assert_mistake(program.run(["plan", path]), "3", "--allow-weak")
            self.assertEqual(program.run(["plan", path, "--allow-weak"]).returncode, 0)

    def test_folders_that_cannot_be_made_are_the_users_to_mend(self):
        with tempfile.NamedTemporaryFile() as file:
            inside = os.path.join(file.name, "cache")
            self.assert_mistake(program.run(["verify", "libtorch"], cache=inside), inside, "DLBENCH_CACHE")

    def test_report_of_no_workspace(self):
        self.assert_mistake(program.run(["report", "/no/such/workspace"]), "/no/such/workspace")

    def test_list_shows_absent_frameworks_with_a_reason(self):
        with tempfile.TemporaryDirectory() as cache:
            result = program.run(["list"], cache=cache)
        self.assertEqual(result.returncode, 0, result.stderr)
        for name in ("libtorch", "jax", "reference"):
            self.assertRegex(result.stdout, name + r"\s+absent")


if __name__ == "__main__":
    unittest.main()
