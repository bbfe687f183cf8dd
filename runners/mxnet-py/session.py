"""One network in Gluon, hybridized."""
import mxnet as mx
import numpy as np

from dlbench_runner import Session, lower, openmp_setting, require_openmp_threads
from network import Network
from ops import OPS
from optimizers import OPTIMIZERS


class GluonSession(Session):
    def __init__(self, load):
        require_openmp_threads(load.threads)
        mx.random.seed(load.recipe["initialiser"]["seed"] % 2**31)
        self._network = Network(load.graph)
        lower(load.graph, OPS, self._network, 0)
        self._network.initialize(mx.init.Zero())
        self._network.hybridize(static_alloc=True, static_shape=True)
        self._loss_of = self._network.loss()
        self._loss_of.hybridize(static_alloc=True, static_shape=True)
        self._optimizer = self._losses = self._logits = None
        if load.mode == "train":
            self._optimizer = OPTIMIZERS.at(load.optimizer["name"])(load.recipe, load.graph, self._network.weights)
        self._trace(load)

    def _trace(self, load):
        """Gluon traces at the first call; done on zeros here, for both batch shapes."""
        for rows in sorted({load.batch, load.partial} - {0}):
            x = mx.nd.zeros((rows,) + load.graph.input_shape, dtype=np.int64 if load.graph.vocabulary else np.float32)
            self._network(x).wait_to_read()
            if load.mode == "train":
                target = mx.nd.zeros((rows,) + load.graph.logits_shape[:-1], dtype=self._network.target_type)
                with mx.autograd.record():
                    losses = self._loss_of(self._network(x), target)
                losses.backward()
        mx.nd.waitall()

    def put(self, parameter, values):
        self._network.weights[parameter.name].set_data(mx.nd.array(values))
        if self._optimizer is not None:
            self._optimizer.forget()

    def get(self, parameter, values):
        values[...] = self._network.weights[parameter.name].data().asnumpy()

    def step(self, batch, rate):
        x, target = mx.nd.from_numpy(batch.input), mx.nd.from_numpy(batch.target)
        target = target.astype(self._network.target_type, copy=False)
        with mx.autograd.record():
            self._losses = self._loss_of(self._network(x), target)
        self._losses.backward()
        self._optimizer.step(batch.rows, rate)

    def loss(self):
        return float(self._losses.mean().asscalar())

    def infer(self, batch):
        self._logits = self._network(mx.nd.from_numpy(batch.input))

    def outputs(self, logits):
        logits[...] = self._logits.asnumpy()

    def drain(self):
        mx.nd.waitall()

    def effective(self):
        return [openmp_setting()]
