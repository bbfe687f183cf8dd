"""A graph as one torch.nn.Module."""
from torch import nn

from dlbench_runner import last_readings, lower
from ops import OPS

# Of a layer by the role of a parameter.
_TENSORS = {"weight": "weight", "bias": "bias", "scale": "weight", "shift": "bias", "mean": "running_mean",
            "variance": "running_var"}


class Network(nn.Module):
    """Layers in execution order. Values are numbered: 0 is the sample, i + 1 what layer i returns."""

    def __init__(self, graph):
        super().__init__()
        self.graph = graph
        self.layers = nn.ModuleList()
        self.tensors = {}  # parameters by the graph's names
        self._sources = []
        self._logits = lower(graph, OPS, self, 0)[0]
        self._dead = last_readings(self._sources, self._logits)

    def add(self, layer, inputs):
        self.layers.append(layer)
        self._sources.append(tuple(inputs))
        return len(self.layers)

    def bind(self, node, layer, tensors=None):
        """The layer's tensors hold the node's parameters; `tensors`: their names by role where they are unusual."""
        for parameter in node.parameters:
            self.tensors[parameter.name] = getattr(layer, (tensors or _TENSORS)[parameter.role])

    def forward(self, x):
        values = [x] + [None] * len(self.layers)
        for i, layer in enumerate(self.layers):
            values[i + 1] = layer(*[values[source] for source in self._sources[i]])
            for value in self._dead[i]:
                values[value] = None
        return values[self._logits]
