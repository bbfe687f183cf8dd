"""A parameter's layout inside a framework, declared once; both directions of the copy derive from the declaration.

    conv OIHW -> HWIO:                 Layout(shape).permute([2, 3, 1, 0])
    dense [out, in] -> [in, out] behind a channels-last flatten:
                                       Layout(shape).channels_last(1, (50, 4, 4)).transpose()
"""
import numpy as np


class Layout:
    """How the framework's tensor is read from the canonical one: the identity, changed by each verb in turn.

    Every such layout is a strided view of the canonical tensor, so one view serves both directions. Axes are counted
    from 0 in the framework's current order.
    """

    def __init__(self, canonical_shape):
        self._shape = tuple(int(extent) for extent in canonical_shape)
        strides = [1] * len(self._shape)
        for i in range(len(self._shape) - 1, 0, -1):
            strides[i - 1] = strides[i] * self._shape[i]
        # Per framework axis its pieces (extent, stride in the canonical tensor in elements).
        self._axes = [[(extent, stride)] for extent, stride in zip(self._shape, strides)]
        self._offset = 0

    def _changed(self, axes, offset=None):
        result = Layout(self._shape)
        result._axes = axes
        result._offset = self._offset if offset is None else offset
        return result

    def permute(self, axes):
        """Framework axis i is the present axis axes[i]."""
        if sorted(axes) != list(range(len(self._axes))):
            raise ValueError("a permutation names every axis once")
        return self._changed([self._axes[axis] for axis in axes])

    def transpose(self):
        """Swaps the axes of a matrix."""
        if len(self._axes) != 2:
            raise ValueError("only a matrix has a transpose")
        return self.permute([1, 0])

    def flip(self, axes):
        """Reverses the order along each axis (kernels of frameworks that convolve truly)."""
        changed, offset = list(self._axes), self._offset
        for axis in axes:
            offset += sum((extent - 1) * stride for extent, stride in changed[axis])
            changed[axis] = [(extent, -stride) for extent, stride in changed[axis]]
        return self._changed(changed, offset)

    def channels_last(self, axis, picture):
        """`axis` counts (channel, row, column) canonically and (row, column, channel) in the framework.

        picture: (channels, height, width) of what the framework flattened.
        """
        channels, height, width = picture
        if len(self._axes[axis]) != 1 or self._axes[axis][0][0] != channels * height * width:
            raise ValueError("the picture fills the axis, and an axis is reordered once")
        stride = self._axes[axis][0][1]
        changed = list(self._axes)
        changed[axis] = [(height, stride * width), (width, stride), (channels, stride * width * height)]
        return self._changed(changed)

    def framework_shape(self):
        return tuple(int(np.prod([extent for extent, _ in axis], dtype=np.int64)) for axis in self._axes)

    def _view(self, canonical):
        if canonical.dtype != np.float32 or canonical.shape != self._shape or not canonical.flags.c_contiguous:
            raise ValueError("a canonical tensor is contiguous float32 of shape %s" % (self._shape,))
        pieces = [piece for axis in self._axes for piece in axis]
        flat = canonical.reshape(-1)[self._offset:]
        return np.lib.stride_tricks.as_strided(flat, [extent for extent, _ in pieces],
                                               [stride * canonical.itemsize for _, stride in pieces])

    def to_framework(self, canonical):
        """A new contiguous array of framework_shape()."""
        return np.array(self._view(canonical), order="C").reshape(self.framework_shape())

    def to_canonical(self, framework, canonical):
        """Writes the framework's array into `canonical`."""
        view = self._view(canonical)
        view[...] = np.asarray(framework).reshape(view.shape)


def input_first_layouts(graph):
    """{parameter name: Layout}: weights of dense layers are [in, out], everything else is canonical."""
    return {p.name: Layout(p.shape).transpose() if node.op == "dense" and p.role == "weight" else Layout(p.shape)
            for node in graph.nodes for p in node.parameters}


def flattened_picture(graph, node):
    """(channels, height, width) of the picture whose flatten feeds `node`; None when its input never was a picture."""
    name = node.inputs[0]
    while True:
        source = graph.by_name.get(name)
        shape = source.output_shape if source is not None else graph.input_shape
        if len(shape) == 3:
            return tuple(shape)
        # Behind an operator that mixes its inputs the order of a flattened picture is gone.
        if source is None or source.parameters:
            return None
        name = source.inputs[0]
