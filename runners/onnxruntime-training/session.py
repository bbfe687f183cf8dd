"""One network in ONNX Runtime's on-device training."""
import os
import tempfile

import numpy as np
import onnxruntime

from dlbench_runner import Session, Setting, count_threads
from network import Network
from optimizers import OPTIMIZERS
from training_api import CheckpointState, Module, Optimizer, artifacts


def _class_targets(target):
    return target.reshape(-1)


def _binary_targets(target):
    """This loss wants targets like the logits."""
    return target.astype(np.float32)[:, None]


# The loss and what makes its targets.
_LOSSES = {"binary_cross_entropy": (artifacts.LossType.BCEWithLogitsLoss, _binary_targets),
           "softmax_cross_entropy": (artifacts.LossType.CrossEntropyLoss, _class_targets)}


def _generate(network, folder, outputs):
    """Makes the training, evaluation and optimizer models; `outputs` are given back beside the loss."""
    os.mkdir(folder)
    artifacts.generate_artifacts(network.model, requires_grad=[p.name for p in network.graph.trained],
                                 frozen_params=[p.name for p in network.graph.parameters if p.is_statistic],
                                 loss=_LOSSES[network.graph.nodes[-1].op][0], optimizer=artifacts.OptimType.SGD,
                                 artifact_directory=folder, additional_output_names=outputs)


class OrtSession(Session):
    def __init__(self, load):
        self._loss = self._logits = None
        training, evaluation = Network(load.graph, True), Network(load.graph, False)
        self._statistics, self._layouts = list(training.updates), training.layouts
        self._targets_of = _LOSSES[load.graph.nodes[-1].op][1]
        with tempfile.TemporaryDirectory() as folder:
            # Two sets: only the evaluation gives the logits back, only a training step gives new statistics.
            train, evaluate = os.path.join(folder, "train"), os.path.join(folder, "evaluate")
            _generate(training, train, list(training.updates.values()))
            _generate(evaluation, evaluate, [evaluation.scores])
            self._build(load, train, evaluate)

    def _build(self, load, train, evaluate):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = load.threads
        options.inter_op_num_threads = 1
        self._state = CheckpointState.load_checkpoint(os.path.join(train, "checkpoint"))
        before = count_threads("")
        self._module = Module(os.path.join(train, "training_model.onnx"), self._state,
                              os.path.join(evaluate, "eval_model.onnx"), session_options=options)
        # Training and evaluation have a pool each, to which the calling thread is added.
        self._threads = (count_threads("") - before) // 2 + 1
        self._optimizer = None
        if load.mode == "train":
            optimizer = Optimizer(os.path.join(train, "optimizer_model.onnx"), self._module)
            self._optimizer = OPTIMIZERS.at(load.optimizer["name"])(load.optimizer, load.graph.trained, self._state,
                                                                    self._module, optimizer)
            self._begin_accumulating(load)

    def _begin_accumulating(self, load):
        """A first training step overwrites the accumulators, later ones add to them: one on zeros, before any `put`."""
        graph = load.graph
        samples = np.zeros((load.batch,) + graph.input_shape, np.int64 if graph.vocabulary else np.float32)
        self._module.train()
        self._module(samples, self._targets_of(np.zeros((load.batch,) + graph.logits_shape[:-1], np.int64)))

    def put(self, parameter, values):
        layout = self._layouts.get(parameter.name)
        self._state.parameters[parameter.name] = layout.to_framework(values) if layout else values
        if self._optimizer is not None:
            self._optimizer.forget()

    def get(self, parameter, values):
        layout, held = self._layouts.get(parameter.name), self._state.parameters[parameter.name].data
        if layout:
            layout.to_canonical(held, values)
        else:
            values[...] = held

    def step(self, batch, rate):
        self._module.train()
        self._optimizer.before_step(rate)
        results = self._module(batch.input, self._targets_of(batch.target))
        self._optimizer.step(rate)
        self._loss = self._keep_statistics(results) if self._statistics else results

    def _keep_statistics(self, results):
        """ONNX operators write no inputs: a step yields the new statistics behind the loss. Returns the loss."""
        for name, values in zip(self._statistics, results[1:]):
            self._state.parameters[name] = values
        return results[0]

    def loss(self):
        return float(self._loss)

    def infer(self, batch):
        self._module.eval()
        _, self._logits = self._module(batch.input, self._targets_of(batch.target))

    def outputs(self, logits):
        logits[...] = self._logits.reshape(logits.shape)

    def effective(self):
        return [Setting("threads", self._threads, "threads in /proc/self/task that the module added, and the caller")]
