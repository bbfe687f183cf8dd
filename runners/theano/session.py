"""One network in Theano: a compiled training function and a compiled evaluation function."""
import ctypes

import numpy as np
import theano
import theano.tensor as tt

from dlbench_runner import Session, Setting, lower, openmp_setting, require_openmp_threads
from ops import OPS, Context
from optimizers import OPTIMIZERS
from recurrent import layouts


# Theano's functions load it with the first one that is compiled; its team is asked for before that.
ctypes.CDLL("libgomp.so.1")


def _blas_threads():
    return ctypes.CDLL("libopenblas.so.0").openblas_get_num_threads()


class TheanoSession(Session):
    def __init__(self, load):
        require_openmp_threads(load.threads)
        self._layouts = layouts(load.graph)
        self._variables = {name: theano.shared(np.zeros(layout.framework_shape(), np.float32), name,
                                               broadcastable=(False,) * len(layout.framework_shape()))
                           for name, layout in self._layouts.items()}
        self._last_loss = self._last_logits = self._optimizer = None
        kind = "int64" if load.graph.vocabulary else "float32"
        x = tt.TensorType(kind, (False,) * (1 + len(load.graph.input_shape)))("input")
        logits = lower(load.graph, OPS, Context(load.graph, self._variables), x)[0]
        # borrow: no copies at the border; the results are looked at before the next call.
        self._infer = theano.function([theano.In(x, borrow=True)], theano.Out(logits, borrow=True))
        if load.mode == "train":
            self._make_training(load, x)

    def _make_training(self, load, x):
        target = tt.TensorType("int64", (False,) * len(load.graph.logits_shape))("target")
        rate = tt.fscalar("rate")
        context = Context(load.graph, self._variables, target, 1 + load.recipe["initialiser"]["seed"] % 2**30)
        loss = lower(load.graph, OPS, context, x)[1]
        trained = {p.name: self._variables[p.name] for p in load.graph.trained}
        self._optimizer = OPTIMIZERS.at(load.optimizer["name"])(load.recipe, load.graph.trained, trained)
        self._train = theano.function([theano.In(x, borrow=True), theano.In(target, borrow=True), rate],
                                      theano.Out(loss, borrow=True),
                                      updates=self._optimizer.updates(loss, trained, rate) + context.updates)

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
