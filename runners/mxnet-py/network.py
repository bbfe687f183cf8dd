"""The graph as one Gluon block: layers are children, and hybrid_forward calls them in order."""
import numpy as np
from mxnet.gluon import nn

# What Gluon's layers call the node's parameters, by their roles.
_ATTRIBUTES = {"weight": "weight", "bias": "bias", "scale": "gamma", "shift": "beta", "mean": "running_mean",
               "variance": "running_var"}


class Network(nn.HybridBlock):
    def __init__(self, graph):
        super().__init__(prefix="")
        self.graph = graph
        self._calls = []  # (function of F and values, numbers of its inputs)
        self.weights = {}  # gluon Parameter by canonical name
        self.loss = None  # class of the Gluon loss that the session applies
        self.target_type = np.int64  # in which that takes its targets

    def add(self, function, inputs):
        """Number of the value that function(F, *inputs) will give. Number 0 is the batch."""
        self._calls.append((function, inputs))
        return len(self._calls)

    def add_layer(self, node, layer, inputs, attributes=_ATTRIBUTES):
        """The same for a Gluon layer that holds the node's parameters."""
        self.register_child(layer)
        for parameter in node.parameters:
            self.weights[parameter.name] = getattr(layer, attributes[parameter.role])
        return self.add(lambda _, *values: layer(*values), inputs)

    def hybrid_forward(self, F, x):  # pylint: disable=arguments-differ
        values = [x]
        for function, inputs in self._calls:
            values.append(function(F, *[values[i] for i in inputs]))
        return values[-1]
