"""tools/check_inventory.py and check_tests_known.py find what nobody uses."""

import unittest

from support import TreeTest

import check_inventory
import check_tests_known


class CheckInventory(TreeTest):

    def setUp(self):
        super().setUp()
        self.write("src/model/op_spec.cpp", "ops = {relu_spec()};\n")
        self.write("src/model/ops/relu.cpp", "int a;\n")
        self.write("src/oracle/ops/relu.cpp", "int a;\n")
        self.write("runners/one/manifest.yaml", "a: 1\n")
        self.write("runners/one/README.md", "One\n")
        self.write("runners/_template/python/main.py", "pass\n")

    def problems(self):
        return check_inventory.problems(self.root)

    def test_a_good_tree_is_clean(self):
        self.assertEqual(self.problems(), [])

    def test_an_operator_that_is_not_registered_is_found(self):
        self.write("src/model/ops/tanh.cpp", "int a;\n")
        self.write("src/oracle/ops/tanh.hpp", "int a;\n")
        self.assertEqual(self.problems(), ["src/model/ops/tanh.cpp: tanh_spec() is not in builtin_ops()"])

    def test_an_operator_without_a_judge_is_found(self):
        self.write("src/model/op_spec.cpp", "ops = {relu_spec(), tanh_spec()};\n")
        self.write("src/model/ops/tanh.cpp", "int a;\n")
        self.assertEqual(self.problems(), ["src/model/ops/tanh.cpp: has no file of that name in src/oracle/ops"])

    def test_a_runner_without_its_files_is_found(self):
        self.write("runners/two/main.cpp", "int a;\n")
        self.assertEqual(self.problems(), ["runners/two: has no manifest.yaml", "runners/two: has no README.md"])

    def test_a_version_that_the_page_of_frameworks_does_not_know_is_found(self):
        self.write("runners/one/manifest.yaml", 'versions:\n  - version: 1.0\n  - version: "1.1" # new\n')
        page = ("# Frameworks\n\n## Runners\n\n| runner | versions | a step |\n|---|---|---|\n| one | %s | x |\n\n"
                "## Faults\n\n| framework | named | else |\n|---|---|---|\n| one | 20 | |\n")
        self.write("docs/frameworks.md", page % "1.0, 1.10")
        self.assertEqual(self.problems(), ["docs/frameworks.md: one 1.1 is not in the table of runners"])
        self.write("docs/frameworks.md", page % "1.0, 1.1")
        self.assertEqual(self.problems(), [])

    def test_work_left_for_later_is_found(self):
        self.write("src/a.cpp", "int a;\n// TO" + "DO: more\n")
        self.assertEqual(len(self.problems()), 1)
        self.assertIn("src/a.cpp:2", self.problems()[0])

    def test_a_template_of_mkdtemp_is_no_mark(self):
        self.write("src/a.cpp", 'char t[] = "/t' + 'mp/a-XXXXXX"; const char* p = "build/wo' + 'rk/x";\n')
        self.assertEqual(self.problems(), [])

    def test_a_folder_of_one_machine_is_found(self):
        for path in ("/ho" + "me/me/x", "/wo" + "rk/main", "/ro" + "ot/x"):
            self.write("docs/a.md", f"see {path} and '{path}'\n")
            self.assertEqual(len(self.problems()), 1, path)


NAMES = ["base.Hash.IsStable", "gate.All/Faults.AreFound/0", "tools.layers"]
COMMANDS = ["build/bin/base_test --x", "build/bin/gate_test", "python3 a/tests/tools/layers_test.py"]


class CheckTestsKnown(TreeTest):

    def problems(self):
        return check_tests_known.problems(self.root, NAMES, COMMANDS)

    def test_known_tests_are_fine(self):
        self.write("tests/base/hash_test.cpp", "TEST(Hash, IsStable) {}\n")
        self.write("tests/gate/faults_test.cpp", "TEST_P(Faults, AreFound) {}\n")
        self.write("tests/tools/layers_test.py", "pass\n")
        self.assertEqual(self.problems(), [])

    def test_a_test_file_that_no_target_builds_is_found(self):
        self.write("tests/base/lost_test.cpp", "TEST(Lost, IsNotRun) {}\nTEST_F(Hash, IsStable) {}\n")
        self.assertEqual(self.problems(), ["tests/base/lost_test.cpp: CTest does not know Lost.IsNotRun"])

    def test_a_suite_is_not_known_by_the_end_of_its_name(self):
        self.write("tests/base/lost_test.cpp", "TEST(ash, IsStable) {}\nTEST(Hash, IsStab) {}\n")
        self.assertEqual(len(self.problems()), 2)

    def test_an_empty_test_file_is_found(self):
        self.write("tests/base/empty_test.cpp", "int a;\n")
        self.assertEqual(self.problems(), ["tests/base/empty_test.cpp: holds no test"])

    def test_a_script_that_no_command_names_is_found(self):
        self.write("tests/tools/lost_test.py", "pass\n")
        self.assertEqual(self.problems(), ["tests/tools/lost_test.py: no CTest command names it"])


if __name__ == "__main__":
    unittest.main()
