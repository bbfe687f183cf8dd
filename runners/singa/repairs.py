"""Mends the wheel's Python binding: copies from and to numpy, division in place, dropout's scale, lists of tensors."""
import ctypes

import numpy as np
from singa import autograd, singa_wrap, tensor as singa_tensor

_LIBRARY = ctypes.CDLL(singa_wrap._singa_wrap.__file__)  # pylint: disable=protected-access


def _method(name, arguments):
    method = getattr(_LIBRARY, name)
    method.argtypes, method.restype = [ctypes.c_void_p] + arguments, None
    return method


_PUT_FLOATS = _method("_ZNK5singa6Tensor19CopyDataFromHostPtrIfEEvPKT_mm",
                      [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t])
_PUT_INTS = _method("_ZNK5singa6Tensor19CopyDataFromHostPtrIiEEvPKT_mm",
                    [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t])
_GET_FLOATS = _method("_ZNK5singa6Tensor8GetValueIfEEvPT_m", [ctypes.c_void_p, ctypes.c_size_t])


def put(tensor, values):
    """Copies a contiguous array of float32 or int32 into a tensor of that many elements."""
    if not values.flags.c_contiguous or values.size != tensor.size():
        raise ValueError("not a contiguous array of %d elements" % tensor.size())
    method = {np.dtype(np.float32): _PUT_FLOATS, np.dtype(np.int32): _PUT_INTS}[values.dtype]
    method(int(tensor.data.this), values.ctypes.data, values.size, 0)


def get(data, shape):
    """A new array with the values of the C++ tensor `data`."""
    values = np.empty(shape, np.float32)
    _GET_FLOATS(int(data.this), values.ctypes.data, values.size)
    return values


def constant(values):
    """A tensor that nobody trains."""
    values = np.array(values, np.float32)
    result = singa_tensor.Tensor(values.shape, requires_grad=False)
    put(result, values)
    return result


def _divide_in_place(tensor, divisor):
    return tensor.__idiv__(divisor)


# Python 3 looks for this name; the binding has Python 2's only.
singa_wrap.Tensor.__itruediv__ = _divide_in_place


class Dropout(autograd.Dropout):
    """SINGA's operator with the scale that its documentation says: `1 / 1 - ratio` lacks parentheses in the wheel."""

    @property
    def scale(self):
        return 1 / (1 - self.ratio)

    @scale.setter
    def scale(self, value):
        """What the operator sets in each forward pass is not used."""


def _joined(parts):
    """C++ tensors one after the other along their first extent; ConcatOn needs the vector that the binding lacks."""
    whole = singa_wrap.Tensor([sum(part.shape()[0] for part in parts)] + list(parts[0].shape()[1:]), parts[0].device())
    offset = 0
    for part in parts:
        singa_wrap.CopyDataToFrom(whole, part, part.Size(), offset, 0)
        offset += part.Size()
    return whole


class Split(autograd.Split):
    """Along the first extent, with a gradient that needs no vector of tensors."""

    def backward(self, *dys):
        return _joined(dys)


class Concat(autograd.Concat):
    """Along the first extent, without a vector of tensors."""

    def forward(self, *xs):
        self.ends = np.cumsum([x.shape()[0] for x in xs]).tolist()
        return _joined(xs)

    def backward(self, dy):
        return tuple(singa_wrap.SliceOn(dy, begin, end, 0) for begin, end in zip([0] + self.ends, self.ends))
