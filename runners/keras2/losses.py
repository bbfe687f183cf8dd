"""Losses of the neutral graph of logits, by Keras's back end."""
import keras.backend as K


def _softmax_cross_entropy(target, logits):
    return K.sparse_categorical_crossentropy(target, logits, from_logits=True)


def _binary_cross_entropy(target, logits):
    return K.binary_crossentropy(target, logits, from_logits=True)


LOSSES = {"softmax_cross_entropy": _softmax_cross_entropy, "binary_cross_entropy": _binary_cross_entropy}
