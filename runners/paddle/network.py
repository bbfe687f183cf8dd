"""A graph as one paddle.nn.Layer."""
from paddle import nn

from dlbench_runner import input_first_layouts, last_readings, lower
from ops import OPS

# Of a layer by the role of a parameter.
_TENSORS = {"weight": "weight", "bias": "bias", "scale": "weight", "shift": "bias", "mean": "_mean",
            "variance": "_variance"}


class Network(nn.Layer):
    """Layers in execution order. Values are numbered: 0 is the sample, i + 1 what layer i returns."""

    def __init__(self, graph):
        super().__init__()
        self.graph = graph
        self.calls = nn.LayerList()
        self.tensors = {}  # parameters by the graph's names
        self.untrained = []  # what no optimizer gets although it has a gradient
        self.layouts = input_first_layouts(graph)
        self._sources = []
        self._logits = lower(graph, OPS, self, 0)[0]
        self._dead = last_readings(self._sources, self._logits)

    def add(self, layer, inputs):
        self.calls.append(layer)
        self._sources.append(tuple(inputs))
        return len(self.calls)

    def bind(self, node, layer, attributes=_TENSORS):
        """The layer's tensors hold the node's parameters; attributes: their names by role."""
        for parameter in node.parameters:
            self.tensors[parameter.name] = getattr(layer, attributes[parameter.role])

    def forward(self, x):
        values = [x] + [None] * len(self._sources)
        for i, layer in enumerate(self.calls):
            values[i + 1] = layer(*[values[source] for source in self._sources[i]])
            for value in self._dead[i]:
                values[value] = None
        return values[self._logits]
