"""One network in Chainer: define by run, a graph of calls in every step."""
import chainer
import chainer.functions as F
import numpy as np

import threads
from dlbench_runner import Session, Setting, Unsupported, lower
from network import Network
from ops import OPS
from optimizers import OPTIMIZERS


class ChainerSession(Session):
    def __init__(self, load):
        in_force = threads.in_force()[0]
        if in_force != load.threads:
            raise Unsupported("threads %d: the process started with %d" % (load.threads, in_force))
        self._network = Network(load.graph)
        lower(load.graph, OPS, self._network, 0)
        self._optimizer = None
        if load.mode == "train":
            self._optimizer = OPTIMIZERS.at(load.optimizer["name"])(load.optimizer, self._network)
        self._uses_ideep = chainer.config.use_ideep == "auto"
        if self._uses_ideep:
            self._network.to_intel64()
        self._last_loss = self._last_logits = None

    def put(self, parameter, values):
        weights = self._network.weights[parameter.name]
        weights.array = np.array(values)
        if self._uses_ideep:
            weights.to_intel64()
        if self._optimizer is not None:
            self._optimizer.forget(weights)

    def get(self, parameter, values):
        values[...] = np.asarray(self._network.weights[parameter.name].array)

    def step(self, batch, rate):
        network = self._network
        loss = F.softmax_cross_entropy(network(batch.input), batch.target)
        network.cleargrads()
        loss.backward()
        self._optimizer.update(rate)
        self._last_loss = loss.array

    def loss(self):
        return float(self._last_loss)

    def infer(self, batch):
        with chainer.using_config("train", False), chainer.no_backprop_mode():
            self._last_logits = self._network(batch.input).array

    def outputs(self, logits):
        logits[...] = np.asarray(self._last_logits)

    def effective(self):
        count, source = threads.in_force()
        return [Setting("threads", count, source),
                Setting("use_ideep", chainer.config.use_ideep, "chainer.config.use_ideep"),
                Setting("dtype", np.dtype(chainer.config.dtype).name, "chainer.config.dtype")]
