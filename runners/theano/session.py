"""One network in Theano: a compiled training function and a compiled evaluation function."""
import ctypes

import numpy as np
import theano
import theano.tensor as tt

from dlbench_runner import Session, Setting, input_first_layouts, lower, openmp_setting, require_openmp_threads
from ops import OPS, Context
from optimizers import OPTIMIZERS


# Theano's functions load it with the first one that is compiled; its team is asked for before that.
ctypes.CDLL("libgomp.so.1")


def _blas_threads():
    return ctypes.CDLL("libopenblas.so.0").openblas_get_num_threads()


class TheanoSession(Session):
    def __init__(self, load):
        require_openmp_threads(load.threads)
        self._layouts = input_first_layouts(load.graph)
        self._variables = {name: theano.shared(np.zeros(layout.framework_shape(), np.float32), name,
                                               broadcastable=(False,) * len(layout.framework_shape()))
                           for name, layout in self._layouts.items()}
        self._last_loss = self._last_logits = self._optimizer = None
        x = tt.TensorType("float32", (False,) * (1 + len(load.graph.input_shape)))("input")
        logits = lower(load.graph, OPS, Context(load.graph, self._variables), x)[0]
        # borrow: no copies at the border; the results are looked at before the next call.
        self._infer = theano.function([theano.In(x, borrow=True)], theano.Out(logits, borrow=True))
        if load.mode == "train":
            self._make_training(load, x)

    def _make_training(self, load, x):
        target, rate = tt.lvector("target"), tt.fscalar("rate")
        loss = lower(load.graph, OPS, Context(load.graph, self._variables, target), x)[1]
        self._optimizer = OPTIMIZERS.at(load.optimizer["name"])(load.optimizer, load.graph.parameters, self._variables)
        self._train = theano.function([theano.In(x, borrow=True), theano.In(target, borrow=True), rate],
                                      theano.Out(loss, borrow=True),
                                      updates=self._optimizer.updates(loss, self._variables, rate))

    def put(self, parameter, values):
        self._variables[parameter.name].set_value(self._layouts[parameter.name].to_framework(values), borrow=True)
        if self._optimizer is not None:
            self._optimizer.forget(parameter.name)

    def get(self, parameter, values):
        framework = self._variables[parameter.name].get_value(borrow=True)
        self._layouts[parameter.name].to_canonical(framework, values)

    def step(self, batch, rate):
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
