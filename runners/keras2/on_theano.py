"""Keras on Theano."""
import ctypes

import keras.backend as K
import numpy as np
import theano
import theano.tensor as tt

from centred import is_centred
from dlbench_runner import Setting, Unsupported, channels_last_layouts, openmp_setting, require_openmp_threads
from scaling import compiled_scaling

BUILD = "Theano %s, %s, %s" % (theano.__version__, theano.config.gcc.cxxflags, theano.config.blas.ldflags)
# pool_2d gives the gradient to every maximum.
DEVIATIONS = ("ties_all",)
# Keras transposes around each convolution and pool where it is the other one.
DATA_FORMAT = "channels_first"
TOKENS = "int64"
BATCH_NORM = "Keras 2.2.4 multiplies the running variance by a factor of its own"
LSTM = {}

# Theano's functions load it with the first one that is compiled; its team is asked for before that.
ctypes.CDLL("libgomp.so.1")
# Keras clips probabilities here to what is epsilon away from 0 and 1, whatever the logits say.
K.set_epsilon(float(np.finfo(np.float32).tiny))

scaling = compiled_scaling


def _relu(x):
    """Not Keras's, which is nnet.relu: the gradient of that at 0 is 1/2."""
    return tt.switch(x > 0, x, 0)


def _softmax_cross_entropy(target, logits):
    """Theano's softmax takes a matrix: with positions, one row for each."""
    losses = K.sparse_categorical_crossentropy(target, K.reshape(logits, (-1, K.int_shape(logits)[-1])),
                                               from_logits=True)
    return losses.reshape(logits.shape[:-1], ndim=logits.ndim - 1)


def _binary_cross_entropy(target, logits):
    """Keras's own clips between sigmoid and logarithm, so that Theano does not make softplus of both."""
    return tt.nnet.binary_crossentropy(tt.nnet.sigmoid(logits), target)


RELU = _relu
LOSSES = {"softmax_cross_entropy": _softmax_cross_entropy, "binary_cross_entropy": _binary_cross_entropy}


def begin(load):
    if any(node.op == "lstm" and node.attributes["hidden"] == 1 for node in load.graph.nodes):
        raise Unsupported("lstm of one unit: of its two states Keras makes only the first fit Theano's scan")
    require_openmp_threads(load.threads)


def threads():
    return [openmp_setting(),
            Setting("blas_threads", ctypes.CDLL("libopenblas.so.0").openblas_get_num_threads(),
                    "openblas_get_num_threads()"),
            Setting("openmp", theano.config.openmp, "theano.config.openmp"),
            Setting("mode", theano.config.mode, "theano.config.mode")]


def layouts(graph):
    """Keras hands kernels to Theano as they are, which convolves truly."""
    result = channels_last_layouts(graph)
    for node in graph.nodes:
        if node.op in ("conv2d", "conv_table"):
            weight = node.parameters[0].name
            result[weight] = result[weight].flip([0, 1])
    return result


def single(x, axis):
    """Theano spreads only an axis that it knows to have one element; of a slice it does not."""
    return tt.addbroadcast(x, axis)


def makes_same(graph, node):
    """Not for averages: "padding must be zero for average_exc_pad". Maxima get too many pads from Keras where kernels are
    of five and more."""
    return is_centred(graph, node) and (node.op == "conv2d" or
                                        node.op == "max_pool" and max(node.attributes["kernel"]) <= 3)


def pad(x, pads, value):
    whole = tt.alloc(np.float32(value), *[extent + sum(pad) for extent, pad in zip(tuple(x.shape), pads)])
    return tt.set_subtensor(whole[tuple(slice(before, before + extent)
                                        for extent, (before, _) in zip(tuple(x.shape), pads))], x)


def lrn(x, a):
    """Theano has no such operator; this is the sum of shifted squares that its users write."""
    channels, reach = x.shape[1], a["size"] // 2
    whole = pad(tt.sqr(x), [[0, 0], [reach, reach], [0, 0], [0, 0]], 0)
    sums = sum(whole[:, i:i + channels] for i in range(1, a["size"])) + whole[:, :channels]
    return x / (np.float32(a["k"]) + np.float32(a["alpha"]) * sums) ** np.float32(a["beta"])
