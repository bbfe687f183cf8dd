"""Keras on TensorFlow 1."""
import keras.backend as K
import tensorflow as tf

from dlbench_runner import Setting, Windows, channels_last_layouts, count_working_threads
from scaling import compiled_scaling

BUILD = "TensorFlow %s" % tf.__version__
DEVIATIONS = ()
DATA_FORMAT = "channels_last"
TOKENS = "int64"
RELU = "relu"
BATCH_NORM = "Keras 2.2.4 multiplies the running variance by a factor of its own"
LSTM = {}

# Some 30 ms of one thread.
_PROBE_ELEMENTS_PER_THREAD = 1 << 18

layouts = channels_last_layouts
scaling = compiled_scaling


def _softmax_cross_entropy(target, logits):
    return K.sparse_categorical_crossentropy(target, logits, from_logits=True)


def _binary_cross_entropy(target, logits):
    return K.binary_crossentropy(target, logits, from_logits=True)


LOSSES = {"softmax_cross_entropy": _softmax_cross_entropy, "binary_cross_entropy": _binary_cross_entropy}


class _Probe:
    """What threads() runs; in the graph before any layer."""
    operator = None


def begin(load):
    K.clear_session()
    K.set_session(tf.Session(config=tf.ConfigProto(intra_op_parallelism_threads=load.threads,
                                                   inter_op_parallelism_threads=1, use_per_session_threads=True)))
    _Probe.operator = tf.random_poisson(9.9, [load.threads * _PROBE_ELEMENTS_PER_THREAD]).op


def threads():
    return [Setting("threads", count_working_threads(lambda: K.get_session().run(_Probe.operator)),
                    "threads that share one tf.random_poisson, by CPU time in /proc/self/task")]


def single(x, _axis):
    return x


def makes_same(graph, node):
    return Windows(graph, node).is_same()


def pad(x, pads, value):
    return tf.pad(x, pads, constant_values=value)


def lrn(x, a):
    return tf.nn.local_response_normalization(x, depth_radius=a["size"] // 2, bias=a["k"], alpha=a["alpha"],
                                              beta=a["beta"])
