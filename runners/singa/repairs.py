"""Mends the wheel's Python binding: copies from and to numpy, and division in place."""
import ctypes

import numpy as np
from singa import singa_wrap

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


def _divide_in_place(tensor, divisor):
    return tensor.__idiv__(divisor)


# Python 3 looks for this name; the binding has Python 2's only.
singa_wrap.Tensor.__itruediv__ = _divide_in_place
