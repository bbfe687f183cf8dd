"""One network in ONNX Runtime's on-device training."""
import os
import tempfile

import numpy as np
import onnxruntime

from dlbench_runner import Session, Setting, count_threads
from network import Network
from optimizers import OPTIMIZERS
from training_api import CheckpointState, Module, Optimizer, artifacts


def _generate(network, parameters, folder, outputs):
    """Makes the training, evaluation and optimizer models; `outputs` are given back beside the loss."""
    os.mkdir(folder)
    artifacts.generate_artifacts(network.model, requires_grad=[p.name for p in parameters],
                                 loss=artifacts.LossType.CrossEntropyLoss, optimizer=artifacts.OptimType.SGD,
                                 artifact_directory=folder, additional_output_names=outputs)


class OrtSession(Session):
    def __init__(self, load):
        self._loss = self._logits = None
        network = Network(load.graph)
        with tempfile.TemporaryDirectory() as folder:
            # Two sets: only the evaluation gives the logits back, a training step has no use for them.
            train, evaluate = os.path.join(folder, "train"), os.path.join(folder, "evaluate")
            _generate(network, load.graph.parameters, train, [])
            _generate(network, load.graph.parameters, evaluate, [network.logits])
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
            self._optimizer = OPTIMIZERS.at(load.optimizer["name"])(load.optimizer, load.graph.parameters, self._state,
                                                                    self._module, optimizer)
            self._begin_accumulating(load)

    def _begin_accumulating(self, load):
        """A first training step overwrites the accumulators, later ones add to them: one on zeros, before any `put`."""
        self._module.train()
        self._module(np.zeros((load.batch,) + load.graph.input_shape, np.float32), np.zeros(load.batch, np.int64))

    def put(self, parameter, values):
        self._state.parameters[parameter.name] = values
        if self._optimizer is not None:
            self._optimizer.forget()

    def get(self, parameter, values):
        values[...] = self._state.parameters[parameter.name].data

    def step(self, batch, rate):
        self._module.train()
        self._optimizer.before_step(rate)
        self._loss = self._module(batch.input, batch.target)
        self._optimizer.step(rate)

    def loss(self):
        return float(self._loss)

    def infer(self, batch):
        self._module.eval()
        _, self._logits = self._module(batch.input, batch.target)

    def outputs(self, logits):
        logits[...] = self._logits

    def effective(self):
        return [Setting("threads", self._threads, "threads in /proc/self/task that the module added, and the caller")]
