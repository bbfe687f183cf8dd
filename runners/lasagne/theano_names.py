"""Names that Lasagne 0.1 asks of Theano and that Theano 1.0 has no more. Import before lasagne."""
import sys
import types

import theano.tensor.signal
from theano.tensor.nnet import conv2d
from theano.tensor.signal.pool import pool_2d


def _max_pool_2d(picture, ds, ignore_border, st, padding, mode="max"):
    """The old name and the old arguments of pool_2d, which does not only take maxima either."""
    return pool_2d(picture, ws=ds, ignore_border=ignore_border, stride=st, pad=padding, mode=mode)


def convolution(picture, filters, image_shape=None, **arguments):
    """What Conv2DLayer calls: Theano 1.0 says input_shape and warns of the other name."""
    return conv2d(picture, filters, input_shape=image_shape, **arguments)


_DOWNSAMPLE = types.ModuleType("theano.tensor.signal.downsample")
_DOWNSAMPLE.max_pool_2d = _max_pool_2d
sys.modules[_DOWNSAMPLE.__name__] = _DOWNSAMPLE
theano.tensor.signal.downsample = _DOWNSAMPLE
