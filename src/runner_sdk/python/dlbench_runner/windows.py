"""Windows of convolutions and poolings: the geometry of the graph, for frameworks that state it in other ways.

A picture with `before` cells in front of it and `behind` cells after it gives exactly the graph's windows when extents
are rounded down; pads that no window reads and ceil_mode then need no thought.
"""
import numpy as np


class _Axis:
    def __init__(self, extent, windows, attributes, axis):
        self.extent, self.windows = extent, windows
        self.stride = attributes["stride"][axis]
        self.before, self.after = attributes["pads"][axis], attributes["pads"][axis + 2]
        self.reach = (attributes["kernel"][axis] - 1) * attributes.get("dilation", (1, 1))[axis] + 1
        # Cells from the first window's begin to the last one's end.
        self.read = (windows - 1) * self.stride + self.reach
        self.behind = max(self.read - extent - self.before, 0)

    def is_same(self):
        return (self.windows == -(-self.extent // self.stride)
                and self.before == max(self.read - self.extent, 0) // 2)

    def fits_even_pad(self):
        return (self.extent + 2 * self.before - self.reach) // self.stride + 1 == self.windows

    def counts(self, with_pads):
        low, high = (-self.before, self.extent + self.after) if with_pads else (0, self.extent)
        begin = np.arange(self.windows) * self.stride - self.before
        return np.minimum(begin + self.reach, high) - np.maximum(begin, low)


class Windows:
    """The windows of one node.

    pads: ((top, bottom), (left, right)) cells with which rounding down makes exactly these windows.
    """

    def __init__(self, graph, node):
        _, height, width = graph.shape_of(node.inputs[0])
        self._axes = [_Axis(height, node.output_shape[1], node.attributes, 0),
                      _Axis(width, node.output_shape[2], node.attributes, 1)]
        self.pads = tuple((axis.before, axis.behind) for axis in self._axes)

    def is_padded(self):
        return self.pads != ((0, 0), (0, 0))

    def even_pads(self):
        """(rows, columns) of cells on both sides with which rounding down makes exactly these windows, or None."""
        return tuple(axis.before for axis in self._axes) if all(axis.fits_even_pad() for axis in self._axes) else None

    def is_same(self):
        """Whether TensorFlow's padding SAME makes them: a window for each stride begun, the odd pad behind."""
        return all(axis.is_same() for axis in self._axes)

    def counts(self, with_pads):
        """Cells of each window inside the input, or inside the padded input: [rows, columns]."""
        return np.outer(*[axis.counts(with_pads) for axis in self._axes])

    def factors(self, with_pads):
        """What makes averages over whole windows those with the divisor counts(with_pads); None where nothing does."""
        cells, counts = self._axes[0].reach * self._axes[1].reach, self.counts(with_pads)
        return None if np.all(counts == cells) else (cells / counts).astype(np.float32)
