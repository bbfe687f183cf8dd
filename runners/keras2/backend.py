"""The module of the back end that KERAS_BACKEND names.

Each has
    BUILD               its libraries and their versions
    DEVIATIONS          what Keras computes otherwise on it
    DATA_FORMAT         Keras's name for where the channels of a picture stand; what follows takes pictures that way
    TOKENS              type of an input of tokens
    RELU                what Activation takes for a relu whose gradient at 0 is 0
    BATCH_NORM          why there is none
    LSTM                arguments of that layer
    LOSSES              {op: function(target, logits)}, as compile takes them
    begin(load)         before the first layer of a network; Unsupported where the back end cannot have it
    threads()           settings that say how many are in force
    scaling(variables)  function that multiplies variables with a factor
    layouts(graph)      of Keras's variables
    single(x, axis)     x, as one that is spread along this axis of one element
    makes_same(graph, node)  whether padding="same" makes the windows of a convolution or a pool
    pad(x, pads, value) of pictures; pads: of all four axes
    lrn(x, attributes)  of pictures
"""
import importlib

import keras.backend as K

BACKEND = importlib.import_module("on_%s" % K.backend())
# Before any layer, which takes it unasked.
K.set_image_data_format(BACKEND.DATA_FORMAT)
