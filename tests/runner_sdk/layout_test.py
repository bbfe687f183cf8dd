"""The Python SDK's layouts against the same hand-worked tensors as the C++ and Lua SDKs; argv[1] is the case file."""
import json
import sys
import unittest

import numpy as np

from dlbench_runner import Graph, Layout, flattened_picture

CASES = json.load(open(sys.argv.pop(1), encoding="utf-8"))


def layout_of(case):
    layout = Layout(case["shape"])
    for step in case["steps"]:
        arguments = [step[key] for key in ("axes", "axis", "picture") if key in step]
        layout = getattr(layout, step["verb"])(*arguments)
    return layout


class LayoutTest(unittest.TestCase):
    def test_matches_hand_worked_tensors_in_both_directions(self):
        for case in CASES["cases"]:
            with self.subTest(case["name"]):
                layout = layout_of(case)
                canonical = np.arange(len(case["framework_values"]), dtype=np.float32).reshape(case["shape"])
                framework = layout.to_framework(canonical)
                self.assertEqual(framework.reshape(-1).tolist(), case["framework_values"])
                self.assertEqual(list(framework.shape), case["framework_shape"])
                self.assertTrue(framework.flags.c_contiguous)
                self.assertFalse(np.shares_memory(framework, canonical))
                back = np.full_like(canonical, -1)
                layout.to_canonical(framework, back)
                np.testing.assert_array_equal(back, canonical)

    def test_refuses_declarations_that_do_not_fit(self):
        matrix = Layout([2, 12])
        for broken in (lambda: matrix.permute([0]), lambda: matrix.permute([0, 0]),
                       lambda: Layout([2, 2, 2]).transpose(), lambda: matrix.channels_last(1, (2, 2, 2)),
                       lambda: matrix.channels_last(1, (2, 2, 3)).channels_last(1, (2, 2, 3)),
                       lambda: matrix.to_framework(np.zeros((2, 12)))):
            with self.assertRaises(ValueError):
                broken()

    def test_finds_the_flattened_picture(self):
        pictures = CASES["pictures"]
        graph = Graph(pictures["graph"])
        self.assertEqual(flattened_picture(graph, graph.by_name["first"]), tuple(pictures["first"]))
        self.assertIsNone(flattened_picture(graph, graph.by_name["second"]))


if __name__ == "__main__":
    unittest.main()
