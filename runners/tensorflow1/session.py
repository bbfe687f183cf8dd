"""One network in TensorFlow 1: a graph, and a Session that runs a training step and an evaluation step of it."""
import numpy as np
import tensorflow as tf

from dlbench_runner import Session, Setting, count_working_threads
from averages import Averages
from ops import Context, run
from optimizers import Trainer
from variables import Variables

# Some 30 ms of one thread.
_PROBE_ELEMENTS_PER_THREAD = 1 << 18


class GraphSession(Session):
    def __init__(self, load):
        self._update = self._reset = self._rate = None
        with tf.Graph().as_default() as framework_graph:
            tf.set_random_seed(load.recipe["initialiser"]["seed"])  # of dropout: weights come by put
            self._build(load)
            self._probe = tf.random_poisson(9.9, [load.threads * _PROBE_ELEMENTS_PER_THREAD]).op
            # One operator at a time, on `threads` threads.
            self._session = tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=load.threads,
                                                             inter_op_parallelism_threads=1))
            self._session.run(tf.global_variables_initializer())
            framework_graph.finalize()
        self._last_rate = self._last_loss = self._last_logits = None
        self._warm_up(load)

    def _build(self, load):
        graph = load.graph
        variables = Variables(graph)
        self._places, evaluated = variables.places, variables.by_name
        self._input = tf.placeholder(tf.int64 if graph.vocabulary else tf.float32, (None,) + graph.input_shape)
        if load.mode == "train":
            self._target = tf.placeholder(tf.int64, (None,) + graph.logits_shape[:-1])
            self._loss = run(Context(graph, variables.by_name, self._target), self._input)[1]
            trainer = Trainer(load.recipe, self._loss, variables.decayed(load.optimizer))
            self._rate, self._update, self._reset = trainer.rate, trainer.update, [trainer.reset]
            if load.recipe["weight_ema"]["decay"]:
                averages = Averages(load.recipe["weight_ema"], self._update)
                self._update, evaluated = averages.follow, averages.read(evaluated)
                self._reset.append(averages.restart)
        self._logits = run(Context(graph, evaluated), self._input)[0]

    def _warm_up(self, load):
        """A Session prepares what it is to run at the first call: done here on zeros, before any `put`."""
        for rows in sorted({load.batch, load.partial} - {0}):
            x = np.zeros((rows,) + load.graph.input_shape, self._input.dtype.as_numpy_dtype)
            if self._update is not None:
                self._train(x, np.zeros((rows,) + load.graph.logits_shape[:-1], np.int64))
            self._session.run(self._logits, {self._input: x})

    def _train(self, x, target):
        _, self._last_loss = self._session.run([self._update, self._loss],
                                               {self._input: x, self._target: target})

    def put(self, parameter, values):
        self._places[parameter.name].put(self._session, values)
        if self._reset is not None:
            self._session.run(self._reset)

    def get(self, parameter, values):
        self._places[parameter.name].get(self._session, values)

    def step(self, batch, rate):
        if rate != self._last_rate:
            self._rate.load(rate, self._session)
            self._last_rate = rate
        self._train(batch.input, batch.target)

    def loss(self):
        return float(self._last_loss)

    def infer(self, batch):
        self._last_logits = self._session.run(self._logits, {self._input: batch.input})

    def outputs(self, logits):
        logits[...] = self._last_logits

    def effective(self):
        return [Setting("threads", count_working_threads(lambda: self._session.run(self._probe)),
                        "threads that share one tf.random_poisson, by CPU time in /proc/self/task")]
