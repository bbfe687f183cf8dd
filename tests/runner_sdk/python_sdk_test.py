"""What Python runners share besides the session, by hand-worked answers; argv[1]: layouts.json."""
import copy
import ctypes
import gc
import json
import os
import subprocess
import sys
import threading
import unittest
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from dlbench_runner import (Graph, Layout, Parameter, Unsupported, Windows, channels_last_layouts,
                            copying_kernels, count_started_threads, count_threads, count_working_threads,
                            input_first_layouts, keeps_channels_last, last_readings, loaded_libraries,
                            openmp_setting, require_openmp_threads, selections)
from dlbench_runner.serve import _set_imports_aside, error_text
from dlbench_runner.timed_loop import run_training

PICTURES = json.load(open(sys.argv.pop(1), encoding="utf-8"))["pictures"]


def windows_of(input_shape, output_shape, **attributes):
    """Windows of the only node of a graph, as one that pools has them."""
    node = {"name": "node", "op": "any", "inputs": ["input"], "attributes": attributes, "output_shape": output_shape,
            "parameters": []}
    loss = dict(node, name="loss", inputs=["node"])
    graph = Graph({"name": "one", "input_shape": input_shape, "vocabulary": 0, "targets_per_sample": 1,
                   "nodes": [node, loss]})
    return Windows(graph, graph.by_name["node"])


def write_text(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


class ParameterTest(unittest.TestCase):
    def test_statistics_are_not_trained(self):
        parameters = [{"name": "n." + role, "role": role, "shape": [2]} for role in
                      ("weight", "bias", "scale", "shift", "mean", "variance")]
        node = {"name": "n", "op": "any", "inputs": ["input"], "attributes": {}, "output_shape": [2],
                "parameters": parameters}
        loss = dict(node, name="loss", inputs=["n"], parameters=[])
        graph = Graph({"name": "one", "input_shape": [2], "vocabulary": 0, "targets_per_sample": 1,
                       "nodes": [node, loss]})
        self.assertEqual([p.role for p in graph.trained], ["weight", "bias", "scale", "shift"])
        self.assertEqual(len(graph.parameters), 6)

    def test_decay_is_a_matter_of_the_role(self):
        def decaying(**flags):
            return [role for role in ("weight", "bias", "scale", "shift", "mean", "variance")
                    if Parameter("n." + role, role, (2,)).decays(flags)]
        self.assertEqual(decaying(decay_bias=True, decay_norm=True), ["weight", "bias", "scale", "shift"])
        self.assertEqual(decaying(decay_bias=False, decay_norm=True), ["weight", "scale", "shift"])
        self.assertEqual(decaying(decay_bias=True, decay_norm=False), ["weight", "bias"])


class ErrorTextTest(unittest.TestCase):
    def test_an_exception_has_its_text(self):
        try:
            raise ValueError("seven")
        except ValueError as error:
            self.assertEqual(error_text(error), "ValueError: seven")

    def test_only_the_first_line_of_a_text_is_told(self):
        try:
            raise ValueError("\nseven\n[CALL STACK]\n > eight")
        except ValueError as error:
            self.assertEqual(error_text(error), "ValueError: seven")

    def test_a_bare_assertion_has_its_place(self):
        seven = 7
        try:
            assert seven == 8
        except AssertionError as error:
            self.assertRegex(error_text(error), r"^AssertionError: python_sdk_test\.py, line \d+: assert seven == 8$")


class Window:
    """An arena whose clock notes what the collector does, and a session; one batch, a rate of 1."""
    handle = None

    def __init__(self):
        self.clock = self
        self.is_collecting = []  # at the begin and at the end of each step
        for name in ("dlb_window_begin", "dlb_window_end"):
            setattr(self, name, lambda handle: None)
        for name in ("dlb_step_begin", "dlb_step_end"):
            setattr(self, name, lambda handle, step: self.is_collecting.append(gc.isenabled()))

    def step_capacity(self):
        return 100

    def batches(self, _work):
        return [("batch", None)]

    def rates(self, steps):
        return [1.0] * steps

    def step(self, batch, rate):
        pass

    def drain(self):
        pass

    def loss(self):
        return 0.5


class Cycle:
    def __init__(self):
        self.itself = self


class CollectorTest(unittest.TestCase):
    def test_it_is_off_in_every_window_and_on_behind_it(self):
        window = Window()
        self.assertEqual(run_training(window, window, None, 3, False, 0), 0.5)
        self.assertEqual(window.is_collecting, [False] * 6)
        self.assertTrue(gc.isenabled())

    def test_what_is_garbage_before_a_window_is_gone_in_it(self):
        gc.disable()
        dead = weakref.ref(Cycle())
        self.assertIsNotNone(dead())
        gc.enable()
        window = Window()
        run_training(window, window, None, 1, False, 0)
        self.assertIsNone(dead())

    @unittest.skipUnless(hasattr(gc, "freeze"), "from Python 3.7 on")
    def test_no_window_looks_at_what_was_set_aside(self):
        try:
            _set_imports_aside()
            count = gc.get_freeze_count()
            self.assertGreater(count, 1000)
            window = Window()
            run_training(window, window, None, 1, False, 0)
            self.assertGreater(gc.get_freeze_count(), count - 100)
        finally:
            gc.unfreeze()


class ConnectionsTest(unittest.TestCase):
    def test_a_one_stands_where_a_channel_is_read(self):
        # Two outputs of two readings over three channels: the first reads channels 2 and 0, the second 1 and 2.
        node = {"name": "conv", "op": "conv_table", "inputs": ["input"], "attributes": {"table": [2, 0, 1, 2]},
                "output_shape": [2, 4, 4], "parameters": [{"name": "conv.weight", "role": "weight",
                                                           "shape": [2, 2, 3, 3]}]}
        loss = dict(node, name="loss", inputs=["conv"], parameters=[])
        graph = Graph({"name": "one", "input_shape": [3, 6, 6], "vocabulary": 0, "targets_per_sample": 1,
                       "nodes": [node, loss]})
        chosen = selections(graph, graph.by_name["conv"])
        self.assertEqual(chosen.tolist(), [[[0, 0, 1], [1, 0, 0]], [[0, 1, 0], [0, 0, 1]]])
        kernels = copying_kernels(graph, graph.by_name["conv"])
        self.assertEqual((kernels.dtype, kernels.shape), (np.float32, (4, 3, 1, 1)))
        self.assertEqual(kernels[:, :, 0, 0].tolist(), [[0, 0, 1], [1, 0, 0], [0, 1, 0], [0, 0, 1]])


class WindowsTest(unittest.TestCase):
    def test_without_pads_nothing_is_added(self):
        # Windows at 0 and 3 of 7 cells; cells 5 and 6 are read by none. SAME would make a third.
        windows = windows_of([1, 7, 7], [1, 2, 2], kernel=[2, 2], stride=[3, 3], pads=[0, 0, 0, 0])
        self.assertEqual(windows.pads, ((0, 0), (0, 0)))
        self.assertFalse(windows.is_padded())
        self.assertFalse(windows.is_same())
        self.assertIsNone(windows.factors(False))

    def test_pads_that_no_window_reads_vanish(self):
        # 4 cells and one behind: windows at 0 and 2 end before it.
        windows = windows_of([1, 4, 4], [1, 2, 2], kernel=[2, 2], stride=[2, 2], pads=[0, 0, 1, 1])
        self.assertFalse(windows.is_padded())
        self.assertIsNone(windows.factors(True))

    def test_an_overhang_becomes_cells_behind_that_do_not_count(self):
        # Rounded up: windows at 0, 2 and 4 of 5 cells; the last one has one cell inside.
        windows = windows_of([1, 5, 5], [1, 3, 3], kernel=[2, 2], stride=[2, 2], pads=[0, 0, 0, 0])
        self.assertEqual(windows.pads, ((0, 1), (0, 1)))
        self.assertIsNone(windows.even_pads())
        self.assertTrue(windows.is_same())
        for with_pads in (False, True):
            self.assertEqual(windows.counts(with_pads).tolist(), [[4, 4, 2], [4, 4, 2], [2, 2, 1]])
            self.assertEqual(windows.factors(with_pads).tolist(), [[1, 1, 2], [1, 1, 2], [2, 2, 4]])
        self.assertEqual(windows.factors(True).dtype, np.float32)

    def test_pads_count_where_they_are_included(self):
        # One cell all around 4: windows of 3 at -1 (two cells inside) and 1 (three). SAME would begin at 0.
        windows = windows_of([1, 4, 4], [1, 2, 2], kernel=[3, 3], stride=[2, 2], pads=[1, 1, 1, 1])
        self.assertEqual(windows.pads, ((1, 0), (1, 0)))
        self.assertEqual(windows.even_pads(), (1, 1))  # the cell behind is read by no window
        self.assertFalse(windows.is_same())
        self.assertIsNone(windows.factors(True))
        self.assertEqual(windows.counts(False).tolist(), [[4, 6], [6, 9]])
        self.assertEqual(windows.factors(False).tolist(), [[2.25, 1.5], [1.5, 1]])

    def test_axes_are_their_own(self):
        # Rows: nothing. Columns: windows of 3 at -1, 0 and 1 of 3 cells.
        windows = windows_of([1, 2, 3], [1, 2, 3], kernel=[1, 3], stride=[1, 1], pads=[0, 1, 0, 1])
        self.assertEqual(windows.pads, ((0, 0), (1, 1)))
        self.assertTrue(windows.is_same())
        self.assertEqual(windows.counts(False).tolist(), [[2, 3, 2], [2, 3, 2]])

    def test_dilation_widens_the_windows(self):
        # Three cells at distance 2 reach over 5: 5 windows from -2 on of 5 cells end 2 behind.
        windows = windows_of([1, 5, 5], [1, 5, 5], kernel=[3, 3], stride=[1, 1], pads=[2, 2, 2, 2], dilation=[2, 2])
        self.assertEqual(windows.pads, ((2, 2), (2, 2)))
        self.assertTrue(windows.is_same())


class ChannelsLastTest(unittest.TestCase):
    def test_weights_of_the_first_dense_layer_make_up_for_the_flatten(self):
        graph = Graph(PICTURES["graph"])
        self.assertEqual((graph.shape_of("input"), graph.shape_of("conv")), ((1, 4, 6), (2, 3, 4)))
        self.assertTrue(keeps_channels_last(graph, graph.by_name["flat"]))
        layouts = channels_last_layouts(graph)
        self.assertEqual(layouts["conv.weight"].framework_shape(), (2, 3, 1, 2))
        first = np.arange(5 * 24, dtype=np.float32).reshape(5, 24)
        wanted = Layout((5, 24)).channels_last(1, (2, 3, 4)).transpose().to_framework(first)
        self.assertEqual(layouts["first.weight"].to_framework(first).tolist(), wanted.tolist())
        # Feature 1 is channel 1 of the first pixel: canonically the 13th of 24.
        self.assertEqual(wanted[1].tolist(), first[:, 12].tolist())
        second = np.arange(15, dtype=np.float32).reshape(3, 5)
        self.assertEqual(layouts["second.weight"].to_framework(second).tolist(), second.T.tolist())

    def test_dropout_behind_a_flatten_sees_no_order(self):
        document = copy.deepcopy(PICTURES["graph"])
        next(node for node in document["nodes"] if node["name"] == "active")["op"] = "dropout"
        graph = Graph(document)
        self.assertTrue(keeps_channels_last(graph, graph.by_name["flat"]))

    def test_a_flatten_that_something_else_reads_keeps_the_graphs_order(self):
        document = copy.deepcopy(PICTURES["graph"])
        active = next(node for node in document["nodes"] if node["name"] == "active")
        document["nodes"].insert(4, dict(active, name="twice", op="add", inputs=["flat", "flat"]))
        graph = Graph(document)
        self.assertFalse(keeps_channels_last(graph, graph.by_name["flat"]))
        first = np.arange(5 * 24, dtype=np.float32).reshape(5, 24)
        layouts = channels_last_layouts(graph)
        self.assertEqual(layouts["first.weight"].to_framework(first).tolist(), first.T.tolist())

    def test_a_flatten_of_features_has_no_order_to_lose(self):
        document = copy.deepcopy(PICTURES["graph"])
        document["input_shape"] = [24]
        flat = next(node for node in document["nodes"] if node["name"] == "flat")
        flat["inputs"] = ["input"]
        document["nodes"] = [node for node in document["nodes"] if node["name"] != "conv"]
        graph = Graph(document)
        self.assertTrue(keeps_channels_last(graph, graph.by_name["flat"]))
        first = np.arange(5 * 24, dtype=np.float32).reshape(5, 24)
        self.assertEqual(channels_last_layouts(graph)["first.weight"].to_framework(first).tolist(), first.T.tolist())

    def test_embeddings_stay_and_matrices_of_an_lstm_are_turned(self):
        # 12 words of 4 features, 3 units: W [12, 4], R [12, 3], b [12].
        shapes = {"words.weight": (12, 4), "cell.weight": (12, 4), "cell.recurrent": (12, 3), "cell.bias": (12,)}
        parameters = [{"name": name, "role": name.split(".")[1], "shape": list(shape), "fan_in": 1, "fan_out": 1}
                      for name, shape in shapes.items()]
        node = copy.deepcopy(PICTURES["graph"]["nodes"][0])
        words = dict(node, name="words", op="embedding", inputs=["input"], parameters=parameters[:1])
        cell = dict(node, name="cell", op="lstm", inputs=["words"], parameters=parameters[1:])
        graph = Graph(dict(PICTURES["graph"], input_shape=[5], vocabulary=12, nodes=[words, cell]))
        layouts = channels_last_layouts(graph)
        self.assertEqual({name: layouts[name].framework_shape() for name in shapes},
                         {"words.weight": (12, 4), "cell.weight": (4, 12), "cell.recurrent": (3, 12), "cell.bias": (12,)})

    def test_input_first_turns_only_dense_weights(self):
        graph = Graph(PICTURES["graph"])
        layouts = input_first_layouts(graph)
        self.assertEqual(sorted(layouts), sorted(p.name for p in graph.parameters))
        dense = [node.name for node in graph.nodes if node.op == "dense"]
        for node in graph.nodes:
            for p in node.parameters:
                turned = node.name in dense and p.role == "weight"
                self.assertEqual(layouts[p.name].framework_shape(), p.shape[::-1] if turned else p.shape, p.name)


class LastReadingsTest(unittest.TestCase):
    def test_lets_go_after_the_last_reader_and_never_of_what_is_kept(self):
        # A diamond: 1 = f(0), 2 = f(1), 3 = f(1, 2), and 4 = f(3) is the loss beside the kept 3.
        self.assertEqual(last_readings([(0,), (1,), (1, 2), (3,)], kept=3), [(0,), (), (1, 2), ()])


class ThreadsTest(unittest.TestCase):
    def test_finds_libraries_by_their_file_names(self):
        found = loaded_libraries("libc.so")
        self.assertEqual([os.path.basename(path) for path in found], ["libc.so.6"])
        self.assertTrue(os.path.isfile(found[0]))
        self.assertEqual(loaded_libraries("no library has this name"), [])

    def test_without_openmp_no_team_is_right(self):
        # In a process of its own: another test may have loaded one.
        code = ("from dlbench_runner import Unsupported, require_openmp_threads\n"
                "try:\n    require_openmp_threads(1)\nexcept Unsupported as refusal:\n    print(refusal)")
        text = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, check=True).stdout.decode()
        self.assertEqual(text.strip(), "threads 1: OpenMP has no library since the process started")

    def test_the_openmp_library_tells_its_team(self):
        openmp = ctypes.CDLL("libgomp.so.1")
        openmp.omp_set_num_threads(3)
        setting = openmp_setting()
        self.assertEqual((setting.name, setting.value), ("threads", 3))
        self.assertRegex(setting.source, r"^omp_get_max_threads\(\) of libgomp\.so\.1[.0-9]*$")
        require_openmp_threads(3)
        with self.assertRaisesRegex(Unsupported, r"threads 2: OpenMP has \{'libgomp.so.1[.0-9]*': 3\}"):
            require_openmp_threads(2)

    def test_counts_threads_by_the_begin_of_their_names(self):
        self.assertEqual(count_threads("no thread has this name"), 0)
        # A new thread inherits its maker's name. A name of its own: threads of other tests may still be ending.
        comm = "/proc/self/task/%d/comm" % threading.get_native_id()
        with open(comm, encoding="ascii") as file:
            usual_name = file.read()
        self.addCleanup(write_text, comm, usual_name)
        write_text(comm, "only here")
        end = threading.Event()
        self.addCleanup(end.set)
        for _ in range(2):
            threading.Thread(target=end.wait).start()
        self.assertEqual((count_threads("only here"), count_threads("only")), (3, 3))

    def test_counts_the_threads_that_some_work_starts(self):
        """Two with the wanted name and three that keep their maker's, not the one that was there nor the other."""
        end = threading.Event()
        self.addCleanup(end.set)

        def start(*names):
            named = threading.Barrier(len(names) + 1)

            def run(name):
                if name is not None:
                    write_text("/proc/thread-self/comm", name)
                named.wait()
                end.wait()
            for name in names:
                threading.Thread(target=run, args=(name,)).start()
            named.wait()
        start("wanted_0", None)
        self.assertEqual(
            count_started_threads(lambda: start("wanted_1", "wanted_2", "other", None, None, None), "wanted"), 5)

    def test_counts_the_threads_that_share_some_work(self):
        """Two threads sort, which numpy does without Python's lock; a third sleeps."""
        numbers = np.random.default_rng(1).random(2_000_000)
        pool = ThreadPoolExecutor(3)
        self.addCleanup(pool.shutdown)
        end = threading.Event()
        self.addCleanup(end.set)
        pool.submit(end.wait)
        self.assertEqual(count_working_threads(lambda: list(pool.map(np.sort, [numbers, numbers]))), 2)


if __name__ == "__main__":
    unittest.main()
