"""The module of the back end that KERAS_BACKEND names.

Each has
    BUILD               its libraries and their versions
    DEVIATIONS          what Keras computes otherwise on it
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
    pad(x, pads, value) of channels-last pictures; pads: of all four axes
    lrn(x, attributes)  of channels-last pictures
"""
import importlib

import keras.backend as K

BACKEND = importlib.import_module("on_%s" % K.backend())
