"""One network in TensorFlow 2: a training step and an evaluation step, each one tf.function."""
from functools import lru_cache

import numpy as np
import tensorflow as tf
from tensorflow.python.util._pywrap_util_port import IsMklEnabled  # what decides; nothing public tells

from averages import Averages
from dlbench_runner import Session, Setting, Unsupported, count_started_threads, count_threads
from ops import Context, run
from optimizers import OPTIMIZERS
from recurrent import layouts


def _set_threads(threads):
    """One operator at a time, on `threads` threads. Only possible before TensorFlow's first computation."""
    try:
        tf.config.threading.set_intra_op_parallelism_threads(threads)
        tf.config.threading.set_inter_op_parallelism_threads(1)
    except RuntimeError as error:
        raise Unsupported("threads %d: %s" % (threads, error)) from error
    _pool_threads()


@lru_cache(maxsize=None)
def _pool_threads():
    """Of the intra-op pool, which TensorFlow starts with the process's first computation: the one here. It calls them
    tf_numa_0_Eigen, or, where the machine tells no NUMA nodes, tf_numa_-1_Eigen, which is too long for a name."""
    return count_started_threads(lambda: tf.zeros(1), "tf_numa")


def _shared(array):
    """A tensor on the array's own memory, which tf.convert_to_tensor would copy."""
    return tf.experimental.dlpack.from_dlpack(array.__dlpack__())


class FunctionSession(Session):
    def __init__(self, load, xla):
        _set_threads(load.threads)
        tf.random.set_seed(load.recipe["initialiser"]["seed"])  # of dropout: weights come by put
        graph = load.graph
        self._layouts = layouts(graph)
        self._variables = {name: tf.Variable(tf.zeros(layout.framework_shape()))
                           for name, layout in self._layouts.items()}
        self._loss = self._logits = self._rate = None
        compiled = True if xla else None
        self._infer = tf.function(lambda x: run(Context(graph, self._evaluated(), xla=xla), x)[0],
                                  jit_compile=compiled, autograph=False)
        self._optimizer = self._averages = None
        if load.mode == "train":
            self._optimizer = OPTIMIZERS.at(load.optimizer["name"])(load.recipe, graph.trained, self._variables)
            if load.recipe["weight_ema"]["decay"]:
                self._averages = Averages({p.name: self._variables[p.name] for p in graph.trained},
                                          load.recipe["weight_ema"])
            self._train = tf.function(self._training_step(graph, xla), jit_compile=compiled, autograph=False)
        self._trace(load)

    def _training_step(self, graph, xla):
        variables = [self._variables[p.name] for p in graph.trained]

        def train(x, target):
            with tf.GradientTape() as tape:
                loss = run(Context(graph, self._variables, target, xla=xla), x)[1]
            self._optimizer.apply(tape.gradient(loss, variables))
            if self._averages is not None:
                self._averages.follow()
            return loss
        return train

    def _evaluated(self):
        return self._variables if self._averages is None else self._averages.read(self._variables)

    def _trace(self, load):
        """Both batch shapes, by calls on zeros that come before any `put`."""
        for rows in sorted({load.batch, load.partial} - {0}):
            x = tf.zeros((rows,) + load.graph.input_shape, tf.int64 if load.graph.vocabulary else tf.float32)
            if self._optimizer is not None:
                self._train(x, tf.zeros((rows,) + load.graph.logits_shape[:-1], tf.int64))
            self._infer(x)

    def put(self, parameter, values):
        self._variables[parameter.name].assign(self._layouts[parameter.name].to_framework(values))
        if self._optimizer is not None:
            self._optimizer.forget()
        if self._averages is not None:
            self._averages.restart()

    def get(self, parameter, values):
        self._layouts[parameter.name].to_canonical(self._variables[parameter.name].numpy(), values)

    def step(self, batch, rate):
        if rate != self._rate:
            self._optimizer.set_rate(rate)
            self._rate = rate
        self._loss = self._train(_shared(batch.input), _shared(batch.target))

    def loss(self):
        return float(self._loss.numpy())

    def infer(self, batch):
        self._logits = self._infer(_shared(batch.input))

    def outputs(self, logits):
        logits[...] = np.asarray(self._logits)

    def effective(self):
        return [Setting("threads", _pool_threads(), "threads of the intra-op pool in /proc/self/task"),
                Setting("inter_op_threads", count_threads("tf_Compute"), "threads named tf_Compute in /proc/self/task"),
                Setting("onednn", "on" if IsMklEnabled() else "off", "_pywrap_util_port.IsMklEnabled()"),
                Setting("tf32", "on" if tf.config.experimental.tensor_float_32_execution_enabled() else "off",
                        "tf.config.experimental.tensor_float_32_execution_enabled()")]
