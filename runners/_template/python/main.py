"""A complete small runner in Python: copy this folder to start a new one. docs/adding-a-runner.md walks through it."""
import ctypes
import os
import platform
import sys

import numpy as np

from dlbench_runner import Description, Session, Setting, lower, serve
from network import Network
from ops import OPS, OPTIMIZERS


def blas_threads():
    """What the BLAS that numpy loaded reports itself; numpy without OpenBLAS computes on one thread."""
    try:
        library = ctypes.CDLL("libopenblas.so.0", mode=os.RTLD_NOLOAD)
    except OSError:
        return 1, "numpy without OpenBLAS"
    return library.openblas_get_num_threads(), "openblas_get_num_threads()"


class TemplateSession(Session):
    def __init__(self, load):
        self._network = Network()
        self._logits, _ = lower(load.graph, OPS, self._network, 0)
        self._optimizer = load.optimizer
        self._update = OPTIMIZERS.at(load.optimizer["name"])
        self._loss = 0.0

    def put(self, parameter, values):
        weights = self._network.weights[parameter.name]
        weights.values = weights.layout.to_framework(values)
        weights.velocity = np.zeros_like(weights.values)

    def get(self, parameter, values):
        weights = self._network.weights[parameter.name]
        weights.layout.to_canonical(weights.values, values)

    def step(self, batch, rate):
        self._network.forward(batch.input)
        gradient = self._score(batch.target)
        self._network.backward(self._logits, gradient)
        for weights in self._network.weights.values():
            self._update(weights, self._optimizer, rate)

    def _score(self, target):
        """softmax_cross_entropy: keeps the mean loss, returns its gradient (softmax - target) / rows."""
        logits = self._network.places[self._logits].astype(np.float64)
        rows = np.arange(len(target))
        shifted = logits - logits.max(axis=1, keepdims=True)
        share = np.exp(shifted)
        total = share.sum(axis=1, keepdims=True)
        self._loss = float(np.mean(np.log(total[:, 0]) - shifted[rows, target]))
        share /= total
        share[rows, target] -= 1.0
        return (share / len(target)).astype(np.float32)

    def loss(self):
        return self._loss

    def infer(self, batch):
        self._network.forward(batch.input)

    def outputs(self, logits):
        logits[...] = self._network.places[self._logits]

    def effective(self):
        threads, source = blas_threads()
        return [Setting("threads", threads, source)]


if __name__ == "__main__":
    sys.exit(serve(Description(runner="template-python", framework="numpy", version=np.__version__,
                               build="Python " + platform.python_version(), ops=OPS.names(),
                               optimizers=OPTIMIZERS.names()), TemplateSession))
