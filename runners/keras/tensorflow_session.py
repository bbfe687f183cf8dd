"""Keras on TensorFlow: the training loop of Keras's guide for this back end, in tf.functions."""
from functools import lru_cache

import tensorflow as tf
from tensorflow.python.util._pywrap_util_port import IsMklEnabled  # what decides; nothing public tells

from dlbench_runner import Setting, Unsupported, count_started_threads, count_threads
from session import KerasSession


@lru_cache(maxsize=None)
def _pool_threads():
    """Of the intra-op pool, which TensorFlow starts with the process's first computation: the one here. It calls them
    tf_numa_0_Eigen, or, where the machine tells no NUMA nodes, tf_numa_-1_Eigen, which is too long for a name."""
    return count_started_threads(lambda: tf.zeros(1), "tf_numa")


def _shared(array):
    """A tensor on the array's own memory, which tf.convert_to_tensor would copy."""
    return tf.experimental.dlpack.from_dlpack(array.__dlpack__())


class BackendSession(KerasSession):
    def set_threads(self, threads):
        """One operator at a time, on `threads` threads. Only possible before TensorFlow's first computation."""
        try:
            tf.config.threading.set_intra_op_parallelism_threads(threads)
            tf.config.threading.set_inter_op_parallelism_threads(1)
        except RuntimeError as error:
            raise Unsupported("threads %d: %s" % (threads, error)) from error
        _pool_threads()

    def build(self, load):
        # An embedding's gradient is slices, the same row twice where a token comes twice. Keras squares and clips these
        # one by one, and its other optimizers leave the rows without a gradient as they are.
        self._takes_slices = load.recipe["optimizer"]["name"] == "sgd" and load.recipe["clip"]["by"] == "none"
        self._train = tf.function(self._training_step)
        self._infer = tf.function(self._evaluate)
        for rows in sorted({load.batch, load.partial} - {0}):
            x, target = map(tf.convert_to_tensor, self._zeros(load, rows))
            if self._optimizer is not None:
                self._optimizer.learning_rate = 0.0
                self._train(x, target)
            self._infer(x)

    def _training_step(self, x, target):
        with tf.GradientTape() as tape:
            loss = self._loss_of(target, self._model(x, training=True))
            minimised = self._with_penalties(loss, self._model.losses)
        gradients = tape.gradient(minimised, self._model.trainable_weights)
        if not self._takes_slices:
            gradients = [tf.convert_to_tensor(g) for g in gradients]
        self._optimizer.apply(gradients, self._model.trainable_weights)
        return loss

    def train(self, batch, rate):
        if rate != self._rate:
            self._optimizer.learning_rate = rate
            self._rate = rate
        self._loss = self._train(_shared(batch.input), _shared(batch.target))

    def infer(self, batch):
        self._logits = self._infer(_shared(batch.input))

    def effective(self):
        return [Setting("threads", _pool_threads(), "threads of the intra-op pool in /proc/self/task"),
                Setting("inter_op_threads", count_threads("tf_Compute"), "threads named tf_Compute in /proc/self/task"),
                Setting("onednn", "on" if IsMklEnabled() else "off", "_pywrap_util_port.IsMklEnabled()")]
