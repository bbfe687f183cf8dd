"""One network in Lasagne: a compiled training function and a compiled evaluation function."""
import ctypes

import lasagne
import numpy as np
import theano
import theano.tensor as tt

from dlbench_runner import Session, Setting, lower, openmp_setting, require_openmp_threads
from network import Network
from ops import LOSSES, OPS
from optimizers import OPTIMIZERS


# Theano's functions load it with the first one that is compiled; its team is asked for before that.
ctypes.CDLL("libgomp.so.1")


def _blas_threads():
    return ctypes.CDLL("libopenblas.so.0").openblas_get_num_threads()


class LasagneSession(Session):
    def __init__(self, load):
        require_openmp_threads(load.threads)
        # Each DropoutLayer draws its seed from it.
        lasagne.random.set_rng(np.random.RandomState(load.recipe["initialiser"]["seed"] % 2**32))
        self._network = Network(load.graph)
        self._last_loss = self._last_logits = self._optimizer = None
        shape = (None,) + load.graph.input_shape
        x = tt.TensorType("int64" if load.graph.vocabulary else "float32", (False,) * len(shape))("input")
        last = lower(load.graph, OPS, self._network, lasagne.layers.InputLayer(shape, x))[0]
        logits = lasagne.layers.get_output(last, deterministic=True)
        # borrow: no copies at the border; the results are looked at before the next call.
        self._infer = theano.function([theano.In(x, borrow=True)], theano.Out(logits, borrow=True))
        if load.mode == "train":
            self._make_training(load, x, last)

    def _make_training(self, load, x, last):
        target = tt.TensorType("int64", (False,) * len(load.graph.logits_shape))("target")
        loss = LOSSES[load.graph.nodes[-1].op](lasagne.layers.get_output(last), target)
        trained = lasagne.layers.get_all_params(last, trainable=True)
        owners = self._network.owners()
        decayed = {variable for variable in trained if owners[variable].decays(load.optimizer)}
        self._optimizer = OPTIMIZERS.at(load.optimizer["name"])(load.recipe, loss, trained, decayed)
        self._train = theano.function([theano.In(x, borrow=True), theano.In(target, borrow=True), self._optimizer.rate],
                                      theano.Out(loss, borrow=True), updates=self._optimizer.updates)

    def put(self, parameter, values):
        self._network.weights[parameter.name].put(values)
        if self._optimizer is not None:
            self._optimizer.forget()

    def get(self, parameter, values):
        self._network.weights[parameter.name].get(values)

    def step(self, batch, rate):
        self._optimizer.prepare(rate)
        self._last_loss = self._train(batch.input, batch.target, rate)

    def loss(self):
        return float(self._last_loss)

    def infer(self, batch):
        self._last_logits = self._infer(batch.input)

    def outputs(self, logits):
        logits[...] = self._last_logits

    def effective(self):
        return [openmp_setting(),
                Setting("blas_threads", _blas_threads(), "openblas_get_num_threads()"),
                Setting("openmp", theano.config.openmp, "theano.config.openmp"),
                Setting("mode", theano.config.mode, "theano.config.mode"),
                Setting("blas", theano.config.blas.ldflags, "theano.config.blas.ldflags")]
