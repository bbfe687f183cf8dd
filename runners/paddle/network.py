"""A graph as one paddle.nn.Layer."""
from paddle import nn

from dlbench_runner import Layout, last_readings, lower
from ops import OPS


class Network(nn.Layer):
    """Layers in execution order. Values are numbered: 0 is the sample, i + 1 what layer i returns."""

    def __init__(self, graph):
        super().__init__()
        self.graph = graph
        self.calls = nn.LayerList()
        self.tensors = {}  # parameters by the graph's names
        self.layouts = {}
        self._sources = []
        self._logits = lower(graph, OPS, self, 0)[0]
        self._dead = last_readings(self._sources, self._logits)

    def add(self, layer, inputs):
        self.calls.append(layer)
        self._sources.append(tuple(inputs))
        return len(self.calls)

    def bind(self, node, layer):
        """The layer's tensors hold the node's parameters; Paddle's linear layers keep [in, out]."""
        for parameter in node.parameters:
            self.tensors[parameter.name] = getattr(layer, parameter.name[len(node.name) + 1:])
            layout = Layout(parameter.shape)
            self.layouts[parameter.name] = layout.transpose() if len(parameter.shape) == 2 else layout

    def forward(self, x):
        values = [x] + [None] * len(self._sources)
        for i, layer in enumerate(self.calls):
            values[i + 1] = layer(*[values[source] for source in self._sources[i]])
            for value in self._dead[i]:
                values[value] = None
        return values[self._logits]
