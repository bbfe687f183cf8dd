"""tools/check_layers.py finds planted violations and nothing else."""

import unittest

from support import ROOT, TreeTest

import check_layers
import source_tree

LAYERS = """
base: -
model: base
gate: model base
runner_sdk/c: -
apps/prog: *
runners/*: base
"""


class CheckLayers(TreeTest):

    def setUp(self):
        super().setUp()
        self.write("tools/layers.txt", LAYERS)
        self.write("src/base/error.hpp", "#include <string>\n")
        self.write("src/model/graph.hpp", '#include "base/error.hpp"\n')
        self.write("src/gate/gate.cpp", '#include "model/graph.hpp"\n#include "base/error.hpp"\n')
        self.write("apps/prog/main.cpp", '#include "prog/command.hpp"\n#include "model/graph.hpp"\n')
        self.write("apps/prog/command.hpp")
        self.write("runners/one/main.cpp", '#include "base/error.hpp"\n#include "ops.hpp"\n')
        self.write("runners/one/ops.hpp")

    def problems(self):
        return check_layers.problems(self.root)

    def test_a_good_tree_is_clean(self):
        self.assertEqual(self.problems(), [])

    def test_an_arrow_against_the_table_is_found(self):
        self.write("src/base/clock.cpp", '#include "model/graph.hpp"\n')
        self.assertEqual(len(self.problems()), 1)
        self.assertIn('src/base/clock.cpp: includes "model/graph.hpp"', self.problems()[0])

    def test_spaces_do_not_hide_an_include(self):
        self.write("src/base/clock.cpp", '  #  include   "model/graph.hpp"\n')
        self.assertEqual(len(self.problems()), 1)

    def test_a_relative_path_does_not_hide_an_include(self):
        self.write("src/base/clock.cpp", '#include "../model/graph.hpp"\n')
        self.assertEqual(len(self.problems()), 1)

    def test_a_runner_may_not_reach_into_the_host(self):
        self.write("runners/one/cheat.cpp", '#include "gate/gate.hpp"\n')
        self.write("src/gate/gate.hpp")
        self.assertIn("runners/one/cheat.cpp", self.problems()[0])

    def test_a_runner_may_not_use_another_runner(self):
        self.write("runners/two/main.cpp", '#include "../../src/model/graph.hpp"\n')
        self.assertEqual(len(self.problems()), 1)

    def test_an_app_may_not_use_the_runner_library(self):
        self.write("src/runner_sdk/c/dlb.h")
        self.write("apps/prog/main.cpp", '#include "runner_sdk/c/dlb.h"\n')
        self.assertIn("runner_sdk/c", self.problems()[0])

    def test_a_folder_without_a_line_is_found(self):
        self.write("src/utils/x.cpp", "int x;\n")
        self.assertIn("src/utils/x.cpp", self.problems()[0])

    def test_a_missing_header_is_found(self):
        self.write("src/model/x.cpp", '#include "base/gone.hpp"\n')
        self.assertIn("no file of the tree", self.problems()[0])

    def test_third_party_types_stay_inside_their_folder(self):
        self.write("src/model/json.hpp", "#include <nlohmann/json.hpp>\n")
        self.write("src/model/json.cpp", '#include "model/json.hpp"\n')
        self.assertEqual(self.problems(), [])
        self.write("src/gate/gate.cpp", '#include "model/json.hpp"\n')
        self.assertIn("nlohmann", self.problems()[0])

    def test_a_cycle_in_the_table_is_refused(self):
        self.write("tools/layers.txt", "base: model\nmodel: base\n")
        with self.assertRaises(ValueError):
            self.problems()

    def test_the_table_of_this_tree_reads(self):
        layers = check_layers.read_layers(source_tree.text(ROOT, "tools/layers.txt"))
        self.assertEqual(layers["base"], set())
        self.assertEqual(layers["model"], {"base"})
        self.assertIn("gate", layers["apps/dlbench"])
        self.assertNotIn("runner_sdk/c", layers["apps/dlbench"])


if __name__ == "__main__":
    unittest.main()
