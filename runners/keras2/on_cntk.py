"""Keras on CNTK."""
import cntk as C
import keras.backend as K
import numpy as np
from cntk import cntk_py

from centred import is_centred
from dlbench_runner import Setting, Unsupported, channels_last_layouts

BUILD = "CNTK %s" % C.__version__
DEVIATIONS = ()
# Keras transposes around each convolution and pool where it is the other one.
DATA_FORMAT = "channels_first"
TOKENS = "float32"  # CNTK takes no other numbers
RELU = "relu"
BATCH_NORM = "Keras 2.2.4 takes the running statistics from the batch once more, after the weights have moved"
# Otherwise Keras 2.2.4 returns the cell state here in place of h.
LSTM = {"unroll": True}

# No float is less: stands for minus infinity.
_LOWEST = float(np.finfo(np.float32).min)

layouts = channels_last_layouts
makes_same = is_centred


def _softmax_cross_entropy(target, logits):
    """Keras's own takes one target for each sample."""
    if len(logits.shape) == 1:
        return K.sparse_categorical_crossentropy(target, logits, from_logits=True)
    positions, classes = logits.shape
    wanted = C.reshape(C.one_hot(target, classes), (positions, classes))
    losses = C.reduce_log_sum_exp(logits, axis=-1) - C.reduce_sum(wanted * logits, axis=-1)
    return C.reshape(losses, (positions,))


def _binary_cross_entropy(target, logits):
    """ln(1 + exp(x)) - x target: Keras's own clips between sigmoid and logarithm."""
    return C.softplus(logits) - logits * target


LOSSES = {"softmax_cross_entropy": _softmax_cross_entropy, "binary_cross_entropy": _binary_cross_entropy}


def _refuse(graph):
    for node in graph.nodes:
        if node.op == "conv2d" and max(node.attributes["dilation"]) > 1:
            raise Unsupported("conv2d with dilation")
        if node.op == "lrn" and node.attributes["size"] > graph.shape_of(node.inputs[0])[0]:
            # CNTK cuts the size then.
            raise Unsupported("lrn over more channels than there are")


def begin(load):
    _refuse(load.graph)
    # Always: without it the library divides by a number of threads that may be 0.
    cntk_py.set_max_num_cputhreads(load.threads)
    K.clear_session()


def threads():
    return [Setting("threads", cntk_py.get_max_num_cputhreads(), "cntk_py.get_max_num_cputhreads()")]


def scaling(variables):
    """Function of a factor."""
    def multiply(factor):
        for variable in variables:
            variable.value = variable.value * np.float32(factor)
    return multiply


def single(x, _axis):
    return x


def pad(x, pads, value):
    """The batch is no axis in CNTK."""
    return C.pad(x, pads[1:], mode=C.CONSTANT_PAD, constant_value=max(value, _LOWEST))


def lrn(x, a):
    """CNTK divides alpha by the size."""
    return C.local_response_normalization(x, depth_radius=a["size"] // 2, bias=a["k"], alpha=a["alpha"] * a["size"],
                                          beta=a["beta"])
