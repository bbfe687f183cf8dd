"""One network in CNTK: a function and a trainer."""
import cntk as C
import numpy as np
from cntk import cntk_py
from dlbench_runner import Session, Setting, input_first_layouts, lower

from ops import OPS, Context
from optimizers import OPTIMIZERS


class CntkSession(Session):
    def __init__(self, load):
        # Always: without it the library divides by a number of threads that may be 0.
        cntk_py.set_max_num_cputhreads(load.threads)
        self._load = load
        self._layouts = input_first_layouts(load.graph)
        self._parameters = {name: C.parameter(shape=layout.framework_shape(), init=0, dtype=np.float32)
                            for name, layout in self._layouts.items()}
        self._x, self._target = C.input_variable(load.graph.input_shape), C.input_variable((1,))
        self._network, self._loss_of = lower(load.graph, OPS, Context(load.graph, self._parameters, self._target),
                                             self._x)
        self._trainer = self._optimizer = self._logits = None
        if load.mode == "train":
            self._forget()

    def _forget(self):
        """A trainer as before its first step: CNTK cannot reset one."""
        self._optimizer = OPTIMIZERS.at(self._load.optimizer["name"])(self._load.optimizer, self._load.graph,
                                                                      self._parameters)
        self._trainer = C.Trainer(self._network, (self._loss_of, None), self._optimizer.learners)
        self._has_stepped = False

    def put(self, parameter, values):
        self._parameters[parameter.name].value = self._layouts[parameter.name].to_framework(values)
        if self._trainer is not None and self._has_stepped:
            self._forget()

    def get(self, parameter, values):
        self._layouts[parameter.name].to_canonical(self._parameters[parameter.name].value, values)

    def step(self, batch, rate):
        self._optimizer.set_rate(rate)
        target = batch.target.astype(np.float32).reshape(-1, 1)
        self._trainer.train_minibatch({self._x: batch.input, self._target: target})
        self._has_stepped = True

    def loss(self):
        return self._trainer.previous_minibatch_loss_average

    def infer(self, batch):
        self._logits = self._network.eval({self._x: batch.input})

    def outputs(self, logits):
        logits[...] = self._logits

    def effective(self):
        return [Setting("threads", cntk_py.get_max_num_cputhreads(), "cntk_py.get_max_num_cputhreads()")]
