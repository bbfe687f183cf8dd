"""One network in CNTK: a function and a trainer."""
import cntk as C
import numpy as np
from cntk import cntk_py
from dlbench_runner import Session, Setting, input_first_layouts, lower

from ops import OPS, Context
from optimizers import Optimizer
from recurrent import lstm_layouts


def _numbers(integers):
    """As CNTK takes integers: floats, each a vector of its own."""
    return integers.astype(np.float32)[..., None]


class CntkSession(Session):
    def __init__(self, load):
        # Always: without it the library divides by a number of threads that may be 0.
        cntk_py.set_max_num_cputhreads(load.threads)
        self._load = load
        self._layouts = input_first_layouts(load.graph)
        self._parameters = {p.name: self._make_parameter(p) for node in load.graph.nodes if node.op != "lstm"
                            for p in node.parameters}
        self._cells = {}  # of lstm, which brings its own parameters
        self._layouts.update(lstm_layouts(load.graph))
        self._counts = {node.name: C.constant(0, dtype=np.float32) for node in load.graph.nodes
                        if node.op == "batch_norm"}
        self._x, self._target = self._make_inputs(load.graph)
        # batch_norm has the rows of its batch built in; without it one network takes all.
        self._dropouts = []
        self._networks = {rows: self._make_network(rows)
                          for rows in sorted({load.batch, (load.partial if self._counts else 0) or load.batch})}
        self._trainers = self._trainer = self._optimizer = self._logits = None
        self._seed = load.recipe["initialiser"]["seed"]
        if load.mode == "train":
            self._forget()

    @staticmethod
    def _make_inputs(graph):
        """(sample, target). Positions are CNTK's sequence axis; a token or a target is a vector of one number."""
        target = (C.sequence.input_variable if len(graph.logits_shape) == 2 else C.input_variable)((1,))
        if graph.vocabulary:
            return C.sequence.input_variable((1,)), target
        if len(graph.input_shape) == 2:
            return C.sequence.input_variable(graph.input_shape[1:]), target
        return C.input_variable(graph.input_shape), target

    def _make_parameter(self, parameter):
        """What no learner may touch is a constant, as in CNTK's own layer; its value can be changed all the same."""
        make = C.constant if parameter.is_statistic else C.parameter
        shape = self._layouts[parameter.name].framework_shape()
        return make(shape=shape, dtype=np.float32, **{"value" if parameter.is_statistic else "init": 0})

    def _make_network(self, rows):
        """(logits, loss)"""
        context = Context(self._load.graph, self._parameters, self._counts, self._cells, rows, self._target)
        network = lower(self._load.graph, OPS, context, self._x)
        self._dropouts += context.dropouts
        return network

    def _forget(self):
        """Trainers as before their first step: CNTK cannot reset one. A new one would draw the same masks again, so
        that dropout goes on with other seeds."""
        for function in self._dropouts:
            function.set_attribute("rngSeed", self._seed % 2**31)
            self._seed += 1
        self._optimizer = Optimizer(self._load.recipe, self._load.graph, self._parameters)
        self._trainers = {rows: C.Trainer(logits, (loss, None), self._optimizer.learners)
                          for rows, (logits, loss) in self._networks.items()}
        self._has_stepped = False

    def put(self, parameter, values):
        self._parameters[parameter.name].value = self._layouts[parameter.name].to_framework(values)
        if parameter.is_statistic:
            # At 0 the first batch would replace the statistics.
            self._counts[parameter.name.rsplit(".", 1)[0]].value = np.ones((), np.float32)
        if self._trainers is not None and self._has_stepped:
            self._forget()

    def get(self, parameter, values):
        self._layouts[parameter.name].to_canonical(self._parameters[parameter.name].value, values)

    def _input_of(self, batch):
        return _numbers(batch.input) if self._load.graph.vocabulary else batch.input

    def step(self, batch, rate):
        self._optimizer.set_rate(rate)
        target = _numbers(batch.target)
        self._trainer = self._trainers.get(batch.rows, self._trainers[self._load.batch])
        self._trainer.train_minibatch({self._x: self._input_of(batch), self._target: target})
        self._has_stepped = True

    def loss(self):
        return self._trainer.previous_minibatch_loss_average

    def infer(self, batch):
        self._logits = self._networks[self._load.batch][0].eval({self._x: self._input_of(batch)})

    def outputs(self, logits):
        logits[...] = self._logits

    def effective(self):
        return [Setting("threads", cntk_py.get_max_num_cputhreads(), "cntk_py.get_max_num_cputhreads()")]
