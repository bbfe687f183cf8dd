"""ctypes binding of libdlbench_runner.so and zero-copy numpy views of the arena.

Two bindings of one library: calls that wait for the host (CDLL) release Python's global lock; the clock calls of the
timed loop (PyDLL) keep it, because releasing and taking it again costs more than the calls themselves and would let
another Python thread in between the clock and the step.
"""
import ctypes
import os

import numpy as np

from .session import Batch, ProtocolError

ABI = 1
ROLE_IN, ROLE_OUT = 1, 2
_F32 = 1
_HERE = os.path.dirname(os.path.abspath(__file__))
# The collected SDK holds lib/ and python/dlbench_runner/ side by side.
_LIBRARY = os.path.normpath(os.path.join(_HERE, "..", "..", "lib", "libdlbench_runner.so"))


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("dims", ctypes.POINTER(ctypes.c_int64)), ("rank", ctypes.c_uint32),
                ("dtype", ctypes.c_uint32), ("bytes", ctypes.c_uint64)]


class _Batch(ctypes.Structure):
    _fields_ = [("input", ctypes.c_void_p), ("input_bytes", ctypes.c_uint64), ("target", ctypes.c_void_p),
                ("target_bytes", ctypes.c_uint64), ("output", ctypes.c_void_p), ("output_bytes", ctypes.c_uint64),
                ("rows", ctypes.c_uint64)]


_POINTER = ctypes.c_void_p
_TEXT = ctypes.c_char_p
_SIGNATURES = {
    "dlb_open": (ctypes.c_int, [ctypes.c_uint32, ctypes.POINTER(_POINTER)]),
    "dlb_error": (_TEXT, [_POINTER]),
    "dlb_next": (ctypes.c_int, [_POINTER, ctypes.POINTER(_TEXT), ctypes.POINTER(ctypes.c_size_t)]),
    "dlb_reply": (ctypes.c_int, [_POINTER, _TEXT, ctypes.c_size_t]),
    "dlb_fail": (ctypes.c_int, [_POINTER, ctypes.c_int64, _TEXT, _TEXT]),
    "dlb_find": (ctypes.c_int, [_POINTER, _TEXT, ctypes.c_uint32, ctypes.POINTER(_Tensor)]),
    "dlb_store": (ctypes.c_int, [_POINTER, _TEXT, _POINTER, ctypes.POINTER(ctypes.c_int64), ctypes.c_uint32]),
    "dlb_slot_count": (ctypes.c_int, [_POINTER, ctypes.POINTER(ctypes.c_uint32)]),
    "dlb_slot": (ctypes.c_int, [_POINTER, ctypes.c_uint32, ctypes.POINTER(_Batch)]),
    "dlb_rate": (ctypes.c_double, [_POINTER, ctypes.c_uint64]),
    "dlb_step_capacity": (ctypes.c_uint64, [_POINTER]),
    "dlb_now_ns": (ctypes.c_int64, []),
    "dlb_libraries": (ctypes.c_int, [_POINTER, ctypes.POINTER(_TEXT), ctypes.POINTER(ctypes.c_size_t)]),
    "dlb_close": (None, [_POINTER]),
}
_CLOCK_SIGNATURES = {
    "dlb_window_begin": (None, [_POINTER]),
    "dlb_window_end": (None, [_POINTER]),
    "dlb_step_begin": (None, [_POINTER, ctypes.c_uint64]),
    "dlb_step_end": (None, [_POINTER, ctypes.c_uint64]),
    "dlb_loss": (None, [_POINTER, ctypes.c_uint64, ctypes.c_double]),
}


def _bind(library, signatures):
    for name, (result, arguments) in signatures.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


def _view(address, dtype, shape):
    """An array over memory that the arena owns; the mapping lives as long as the process."""
    count = int(np.prod(shape, dtype=np.int64))
    raw = (ctypes.c_char * (count * np.dtype(dtype).itemsize)).from_address(address)
    return np.frombuffer(raw, dtype=dtype, count=count).reshape(shape)


class Arena:
    """The connection to the host and the memory shared with it."""

    def __init__(self):
        self._library = _bind(ctypes.CDLL(_LIBRARY), _SIGNATURES)
        self.clock = _bind(ctypes.PyDLL(_LIBRARY), _CLOCK_SIGNATURES)
        self.handle = _POINTER()
        if self._library.dlb_open(ABI, ctypes.byref(self.handle)) < 0:
            raise ProtocolError(self.error())

    def error(self):
        return self._library.dlb_error(self.handle).decode("utf-8", "replace")

    def _check(self, status):
        if status < 0:
            raise ProtocolError(self.error())
        return status

    def next(self):
        """The next command's text; None when the host has gone."""
        text, size = _TEXT(), ctypes.c_size_t()
        status = self._check(self._library.dlb_next(self.handle, ctypes.byref(text), ctypes.byref(size)))
        return text.value.decode("utf-8") if status == 1 else None

    def reply(self, text):
        data = text.encode("utf-8")
        self._check(self._library.dlb_reply(self.handle, data, len(data)))

    def fail(self, command_id, outcome, reason):
        reason = reason.replace("\0", " ").encode("utf-8", "replace")
        self._check(self._library.dlb_fail(self.handle, command_id, outcome.encode("ascii"), reason))

    def parameter_in(self, parameter):
        """View of the IN tensor in canonical shape."""
        tensor = _Tensor()
        self._check(self._library.dlb_find(self.handle, parameter.name.encode("utf-8"), ROLE_IN, ctypes.byref(tensor)))
        if tensor.dtype != _F32 or tuple(tensor.dims[:tensor.rank]) != parameter.shape:
            raise ProtocolError("tensor %s has another shape in the arena" % parameter.name)
        return _view(tensor.data, np.float32, parameter.shape)

    def store(self, parameter, values):
        """Checked copy into the OUT tensor."""
        dims = (ctypes.c_int64 * len(values.shape))(*values.shape)
        self._check(self._library.dlb_store(self.handle, parameter.name.encode("utf-8"), values.ctypes.data, dims,
                                            len(values.shape)))

    def batches(self, work):
        """Every slot of the ring as (Batch, view of its logits or None), checked against the loaded work."""
        count = ctypes.c_uint32()
        self._check(self._library.dlb_slot_count(self.handle, ctypes.byref(count)))
        if count.value == 0:
            raise ProtocolError("the arena has no batches")
        return [self._batch(work, k) for k in range(count.value)]

    def _batch(self, work, k):
        graph = work.graph
        slot = _Batch()
        self._check(self._library.dlb_slot(self.handle, k, ctypes.byref(slot)))
        element = np.dtype(np.int64 if graph.vocabulary else np.float32)
        row_bytes = int(np.prod(graph.input_shape, dtype=np.int64)) * element.itemsize
        rows = slot.rows
        if (not 0 < rows <= work.batch or slot.input_bytes != rows * row_bytes
                or slot.target_bytes != rows * graph.targets_per_sample * 8):
            raise ProtocolError("slot %d does not fit the loaded work" % k)
        batch = Batch(_view(slot.input, element, (rows,) + graph.input_shape),
                      _view(slot.target, np.int64, (rows,) + graph.logits_shape[:-1]), rows, k)
        logits_shape = (rows,) + graph.logits_shape
        logits = None
        if slot.output and slot.output_bytes >= int(np.prod(logits_shape, dtype=np.int64)) * 4:
            logits = _view(slot.output, np.float32, logits_shape)
        return batch, logits

    def rates(self, steps):
        rates = [self._library.dlb_rate(self.handle, i) for i in range(steps)]
        if any(rate != rate for rate in rates):
            raise ProtocolError("no learning rate for every step")
        return rates

    def step_capacity(self):
        return self._library.dlb_step_capacity(self.handle)

    def now_ns(self):
        return self._library.dlb_now_ns()

    def libraries(self):
        text, size = _TEXT(), ctypes.c_size_t()
        self._check(self._library.dlb_libraries(self.handle, ctypes.byref(text), ctypes.byref(size)))
        return text.value.decode("utf-8", "replace")

    def close(self):
        self._library.dlb_close(self.handle)
