"""A whole study with runners that pass, cannot pass, and misbehave: one row each, the sweep goes on, nothing is left
running, and a stopped or killed study goes on where it was."""

import fcntl
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import program

BIN = os.path.join(os.environ["DLBENCH_BUILD"], "bin")

# A busy machine may leave a run unsteady; that is no matter of these tests.
MEASURED = {"OK", "UNSTEADY"}

MANIFEST = """name: {name}
title: "{name} (test)"
language: c++
start: [{start}]
versions:
  - version: "1"
system_packages: []
environment: {{OPENBLAS_NUM_THREADS: "{{threads}}"}}
"""

GRAPH = {
    "name": "small", "input_shape": [1, 28, 28],
    "nodes": [
        {"name": "flat", "op": "flatten", "inputs": ["input"], "attributes": {}},
        {"name": "fc1", "op": "dense", "inputs": ["flat"], "attributes": {"out_features": 16}},
        {"name": "relu1", "op": "relu", "inputs": ["fc1"], "attributes": {}},
        {"name": "fc2", "op": "dense", "inputs": ["relu1"], "attributes": {"out_features": 10}},
        {"name": "loss", "op": "softmax_cross_entropy", "inputs": ["fc2"], "attributes": {}},
    ],
}

STUDY = """name: flow
model: {model}
data: {{name: fashion-mnist, folder: {data}}}
recipe:
  batch: 64
  optimizer: {{name: sgd, momentum: 0.9}}
  rate: {{policy: fixed, base: 0.01}}
frameworks: [{frameworks}]
compare: {{base: oracle}}
threads: [1]
blocks: {blocks}
max_repeated_blocks: 0
windows:
  warm_up: {{steps: 20, seconds: 0}}
  w1: {{steps: {steps}, seconds: 0}}
  w2: {{steps: 10, seconds: 0}}
limits: {{steal_ratio: 1, foreign_ratio: 1}}
{convergence}
"""


def left_running():
    """Processes that carry a run's token: none may survive a study."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/environ" % pid, "rb") as file:
                if b"DLBENCH_CLI_TEST=" in file.read() and int(pid) != os.getpid():
                    found.append(pid)
        except OSError:
            continue
    return found


class Flow(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.root = cls.temporary.name
        cls.runners = os.path.join(cls.root, "runners")
        cls.cache = os.path.join(cls.root, "cache")
        cls.data = os.path.join(cls.root, "data")
        os.mkdir(cls.data)
        program.write_small_dataset(cls.data)
        cls.model = os.path.join(cls.root, "small.json")
        with open(cls.model, "w", encoding="utf-8") as file:
            json.dump(GRAPH, file)
        oracle = os.path.join(os.environ["DLBENCH_BUILD"], "runners", "float_oracle_runner", "float_oracle_runner")
        scripted = os.path.join(BIN, "scripted_runner")
        cls.names = {
            "oracle": [oracle],
            "again": [oracle],
            "racing": [oracle, "--arithmetic", "weight_race"],
            "crash_in_gate": [scripted, "segfault", "train"],
            "garbage": [scripted, "garbage", "load"],
            "liar": [scripted, "ok"],
            "other_threads": [oracle, "--threads-in-force", "7"],
            "dies_late": [oracle, "--die-after", "100"],
            "half_gone": [os.path.join(cls.root, "half_gone", "runner")],
            "lost_part": [os.path.join(cls.runners, "lost_part", "start"), "{env}", oracle],
            "edited": [os.path.join(cls.runners, "edited", "start"), oracle],
        }
        os.mkdir(os.path.join(cls.root, "half_gone"))
        shutil.copy(oracle, cls.names["half_gone"][0])
        for name, start in cls.names.items():
            folder = os.path.join(cls.runners, name)
            os.makedirs(folder)
            with open(os.path.join(folder, "manifest.yaml"), "w", encoding="utf-8") as file:
                file.write(MANIFEST.format(name=name, start=", ".join('"%s"' % part for part in start)))
        # Needs a file of its environment, as a framework needs its packages.
        program.write_script(os.path.join(cls.runners, "lost_part", "prepare"), 'echo : > "$1/part"')
        program.write_script(os.path.join(cls.runners, "lost_part", "start"), '. "$1/part"\nexec "$2"')
        # Somebody edits the runner's files while it runs, if there is a file `edits`.
        cls.edits = os.path.join(cls.root, "edits")
        program.write_script(os.path.join(cls.runners, "edited", "start"),
                             'if [ -e "%s" ]; then echo $$ >> "${0%%/*}/notes"; fi\nexec "$1"' % cls.edits)
        installed = cls.dlbench("install", *cls.names)
        assert installed.returncode == 0, installed.stdout + installed.stderr
        os.remove(cls.names["half_gone"][0])
        os.remove(os.path.join(cls.cache, "frameworks", "lost_part", "1", "env", "part"))

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def dlbench(cls, *arguments):
        return program.run(list(arguments), cwd=cls.root, cache=cls.cache, extra={"DLBENCH_RUNNERS": cls.runners})

    def study(self, frameworks, blocks, steps=30, convergence=""):
        handle, path = tempfile.mkstemp(suffix=".yaml", dir=self.root)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(STUDY.format(model=self.model, data=self.data, frameworks=", ".join(frameworks), blocks=blocks,
                                    steps=steps, convergence=convergence))
        return path, os.path.join(self.root, "workspace-" + os.path.basename(path))

    def run_study(self, path, workspace, *more):
        return self.dlbench("run", path, "--workspace", workspace, "--allow-weak", "--allow-unfit", *more)

    def rows(self, workspace):
        with open(os.path.join(workspace, "reports", "flow.json"), encoding="utf-8") as file:
            return json.load(file)

    def outcomes(self, workspace):
        rows = self.rows(workspace)
        frameworks = {case["id"]: case["framework"] for case in rows["cases"]}
        result = {}
        for run in rows["runs"]:
            result.setdefault(frameworks[run["case_id"]], []).append(run["outcome"]["kind"])
        return result

    def test_every_ending_is_a_row_and_the_sweep_goes_on(self):
        path, workspace = self.study(["oracle", "racing", "crash_in_gate", "garbage", "liar"], blocks=2,
                                     convergence="convergence: {epochs: 2, threads: [1]}")
        result = self.run_study(path, workspace)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        outcomes = self.outcomes(workspace)
        self.assertEqual(len(outcomes["oracle"]), 3, result.stderr)
        self.assertLessEqual(set(outcomes["oracle"]), MEASURED, result.stderr)
        self.assertEqual(set(outcomes["racing"]), {"MISMATCH"})
        self.assertEqual(set(outcomes["crash_in_gate"]), {"CRASH"})
        self.assertEqual(set(outcomes["garbage"]), {"PROTOCOL"})
        self.assertEqual(set(outcomes["liar"]), {"MISMATCH"})
        self.assertIn("weight_race", result.stderr + result.stdout, "the diagnosis names the fault")
        for name in outcomes:
            self.assertIn(name, result.stdout, "no row is hidden")
        self.assertEqual(left_running(), [])
        accuracies = [run["metrics"]["test_accuracy"] for run in self.rows(workspace)["runs"]
                      if "test_accuracy" in run["metrics"]]
        self.assertEqual(len(accuracies), 1)
        self.assertGreater(accuracies[0], 0.5, "bright bars are easy to learn")
        status = self.dlbench("status", workspace)
        self.assertIn("MISMATCH", status.stdout)

    def test_what_only_the_machine_or_the_clock_shows_is_a_row_too(self):
        os.makedirs(os.path.join(self.runners, "nowhere"), exist_ok=True)
        with open(os.path.join(self.runners, "nowhere", "manifest.yaml"), "w", encoding="utf-8") as file:
            file.write(MANIFEST.format(name="nowhere", start='"/bin/true"'))
        path, workspace = self.study(["oracle", "other_threads", "dies_late", "half_gone", "nowhere"], blocks=1, steps=200)
        result = self.run_study(path, workspace)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        outcomes = self.outcomes(workspace)
        self.assertLessEqual(set(outcomes["oracle"]), MEASURED, result.stderr)
        self.assertEqual(outcomes["other_threads"], ["INVALID"])
        self.assertEqual(outcomes["dies_late"], ["CRASH"])
        self.assertEqual(outcomes["half_gone"], ["NOT_INSTALLED"])
        self.assertEqual(outcomes["nowhere"], ["NOT_INSTALLED"])
        text = " ".join((result.stdout + result.stderr).split())  # tables break their lines
        self.assertIn("1 thread asked for, 7 in force", text)
        self.assertIn("SIGABRT", text)
        self.assertIn("half_gone/runner is gone; repeat: dlbench install half_gone", text)
        self.assertIn("dlbench install nowhere", text)
        self.assertEqual(left_running(), [])

    def test_a_process_that_does_not_start_is_told_with_what_its_environment_lost(self):
        result = self.dlbench("verify", "--ops", "--only", "relu", "lost_part", "oracle")
        self.assertEqual(result.returncode, 1, result.stderr)
        text = " ".join(result.stdout.split())
        self.assertRegex(text, "relu CRASH PASS")
        self.assertRegex(text, r"environment has 0 files, 1 were installed; repeat: dlbench install lost_part")

    def test_what_is_edited_meanwhile_proves_and_measures_nothing(self):
        path, workspace = self.study(["oracle", "edited"], blocks=1)
        proof = ["verify", "edited", "--model", self.model, "--data-folder", self.data]
        self.assertIn("PASS", self.dlbench(*proof).stdout)
        with open(self.edits, "w", encoding="utf-8"):
            pass
        self.addCleanup(lambda: os.path.exists(self.edits) and os.remove(self.edits))
        self.run_study(path, workspace)
        outcomes = self.outcomes(workspace)
        self.assertEqual(outcomes["edited"], ["INVALID"])
        self.assertLessEqual(set(outcomes["oracle"]), MEASURED)
        for asked in (proof, ["verify", "--ops", "--only", "relu", "edited"]):
            os.remove(self.edits)
            self.assertEqual(self.dlbench("install", "edited").returncode, 0)
            with open(self.edits, "w", encoding="utf-8"):
                pass
            result = self.dlbench(*asked)
            self.assertEqual(result.returncode, 1, result.stdout)
            self.assertRegex(result.stdout, r"(?s)INVALID.*changed meanwhile")

    def test_another_runner_of_the_same_name_does_not_take_its_environment(self):
        copy = os.path.join(self.root, "elsewhere", "oracle")
        shutil.copytree(os.path.join(self.runners, "oracle"), copy)
        refused = self.dlbench("verify", "--ops", "--only", "relu", "--runner", copy)
        self.assertEqual(refused.returncode, 2, refused.stdout)
        self.assertIn("a runner 'oracle' of its own", refused.stderr)
        own = self.dlbench("verify", "--ops", "--only", "relu", "--runner", os.path.join(self.runners, "oracle"))
        self.assertEqual(own.returncode, 0, own.stderr)

    def test_a_table_proves_frameworks_side_by_side_and_keeps_their_order(self):
        result = self.dlbench("verify", "--ops", "--only", "relu", "racing", "oracle", "half_gone")
        self.assertEqual(result.returncode, 1, result.stderr)
        absent, head, row = result.stdout.splitlines()[:3]
        self.assertRegex(absent, r"^half_gone@1: NOT_INSTALLED\(it is damaged: ")
        self.assertEqual(head.split(), ["operator", "racing@1", "oracle@1"])
        self.assertEqual(row.split(), ["relu", "MISMATCH", "PASS"])
        self.assertRegex(result.stderr, r"oracle@1: \d+ s \([1-2] of 2\)")

    def test_a_second_run_adds_nothing(self):
        path, workspace = self.study(["oracle", "again"], blocks=2)
        first = self.run_study(path, workspace)
        self.assertIn(first.returncode, (0, 1), first.stdout + first.stderr)
        before = self.rows(workspace)["runs"]
        second = self.run_study(path, workspace)
        self.assertEqual(second.returncode, first.returncode, second.stderr)
        self.assertEqual([run["id"] for run in self.rows(workspace)["runs"]], [run["id"] for run in before])
        self.assertIn("[from ", second.stderr, "certificates come from the cache, with their date")

    def interrupted(self, signal_number):
        path, workspace = self.study(["oracle", "again"], blocks=3, steps=600)
        self.run_study(path, workspace + "-warm")  # certificates exist: what is interrupted is a run
        environment = {"PATH": os.environ["PATH"], "HOME": self.root, "LANG": "C.UTF-8", "DLBENCH_CACHE": self.cache,
                       "DLBENCH_RUNNERS": self.runners, "DLBENCH_CLI_TEST": "host"}
        host = subprocess.Popen([program.PROGRAM, "run", path, "--workspace", workspace, "--allow-weak",
                                 "--allow-unfit"], env=environment, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                universal_newlines=True)
        for line in host.stderr:
            if line.startswith("run "):
                break
        time.sleep(0.05)
        host.send_signal(signal_number)
        host.stderr.close()
        host.wait(60)
        again = self.run_study(path, workspace)
        self.assertIn(again.returncode, (0, 1), again.stdout + again.stderr)
        runs = self.rows(workspace)["runs"]
        keys = [(run["case_id"], run["block"], run["attempt"]) for run in runs]
        self.assertEqual(len(keys), 6)
        self.assertEqual(len(set(keys)), 6, "no run twice, none missing")
        self.assertLessEqual({run["outcome"]["kind"] for run in runs}, MEASURED)
        self.assertEqual(left_running(), [])

    def test_ctrl_c_then_resume(self):
        self.interrupted(signal.SIGINT)

    def test_killed_host_then_resume(self):
        self.interrupted(signal.SIGKILL)

    def test_one_row_is_repeated_from_its_command(self):
        path, workspace = self.study(["oracle", "again"], blocks=2)
        self.run_study(path, workspace)
        command = self.rows(workspace)["runs"][0]["command"].split()
        self.assertEqual(command[:2], ["dlbench", "run"])
        repeated = self.dlbench(*command[1:], "--workspace", workspace + "-one", "--allow-weak", "--allow-unfit")
        self.assertEqual(len(self.rows(workspace + "-one")["runs"]), 1, repeated.stdout + repeated.stderr)

    def test_two_writers_are_refused(self):
        path, workspace = self.study(["oracle", "again"], blocks=1)
        self.run_study(path, workspace)
        with open(os.path.join(workspace, "dlbench.lock"), "rb+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            refused = self.run_study(path, workspace)
        self.assertEqual(refused.returncode, 2, refused.stderr)
        self.assertIn(workspace, refused.stderr)


if __name__ == "__main__":
    unittest.main()
