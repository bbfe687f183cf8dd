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


def _generate(network, folder, outputs, optimizer):
    """Makes the training, evaluation and optimizer models; `outputs` are given back beside the loss.

    optimizer: a block, or None.
    """
    os.mkdir(folder)
    artifacts.generate_artifacts(network.model, requires_grad=[p.name for p in network.graph.trained],
                                 frozen_params=[p.name for p in network.graph.parameters if p.is_statistic],
                                 loss=_LOSSES[network.graph.nodes[-1].op][0], optimizer=optimizer,
                                 artifact_directory=folder, additional_output_names=outputs)


class OrtSession(Session):
    def __init__(self, load):
        self._load = load
        self._loss = self._logits = None
        training, evaluation = Network(load.graph, True), Network(load.graph, False)
        self._statistics, self._layouts = list(training.updates), training.layouts
        self._targets_of = _LOSSES[load.graph.nodes[-1].op][1]
        self._optimizer_of = OPTIMIZERS.at(load.optimizer["name"]) if load.mode == "train" else None
        onnxruntime.set_seed(load.recipe["initialiser"]["seed"] % 2**31)  # of dropout
        self._folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        # Two sets: only the evaluation gives the logits back, only a training step gives new statistics.
        _generate(training, self._path("train"), list(training.updates.values()),
                  self._optimizer_of and self._optimizer_of.block(load.optimizer))
        _generate(evaluation, self._path("evaluate"), [evaluation.scores], None)
        self._build()

    def _path(self, *parts):
        return os.path.join(self._folder.name, *parts)

    def _build(self):
        load = self._load
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = load.threads
        options.inter_op_num_threads = 1
        self._state = CheckpointState.load_checkpoint(self._path("train", "checkpoint"))
        before = count_threads("")
        self._module = Module(self._path("train", "training_model.onnx"), self._state,
                              self._path("evaluate", "eval_model.onnx"), session_options=options)
        # Training and evaluation have a pool each, to which the calling thread is added.
        self._threads = (count_threads("") - before) // 2 + 1
        self._optimizer = None
        if self._optimizer_of is not None:
            optimizer = Optimizer(self._path("train", "optimizer_model.onnx"), self._module)
            self._optimizer = self._optimizer_of(load.optimizer, load.graph.trained, self._state, self._module, optimizer)
            self._begin_accumulating(load)
            self._optimizer.forget()

    def _build_anew(self):
        """With the same parameters and no state of an optimizer: that is a part of the checkpoint's."""
        held = {p.name: self._state.parameters[p.name].data.copy() for p in self._load.graph.parameters}
        self._state = self._module = self._optimizer = None
        self._build()
        for name, values in held.items():
            self._state.parameters[name] = values

    def _begin_accumulating(self, load):
        """A first training step overwrites the accumulators, later ones add to them: one on zeros, before any `put`."""
        graph = load.graph
        samples = np.zeros((load.batch,) + graph.input_shape, np.int64 if graph.vocabulary else np.float32)
        self._module.train()
        self._module(samples, self._targets_of(np.zeros((load.batch,) + graph.logits_shape[:-1], np.int64)))

    def put(self, parameter, values):
        if self._optimizer is not None and not self._optimizer.forget():
            self._build_anew()
        layout = self._layouts.get(parameter.name)
        self._state.parameters[parameter.name] = layout.to_framework(values) if layout else values

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
