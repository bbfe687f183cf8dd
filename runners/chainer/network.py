"""The graph as Chainer defines networks: a Chain of links, and a forward pass that runs anew in every step."""
import chainer


class Network(chainer.Chain):
    """Operators are added once, at load; forward calls them in order on numbered values."""

    def __init__(self, graph):
        super().__init__()
        self.graph = graph
        self.weights = {}  # chainer.Parameter by canonical name
        self._calls = []  # (function, numbers of its inputs)

    def add(self, function, inputs):
        """Number of the value that function(*inputs) will give. Number 0 is the batch."""
        self._calls.append((function, inputs))
        return len(self._calls)

    def add_layer(self, node, link):
        """Takes a link in, its W and b being the node's parameters."""
        with self.init_scope():
            setattr(self, node.name, link)
        for parameter in node.parameters:
            self.weights[parameter.name] = link.W if parameter.role == "weight" else link.b
        return link

    def forward(self, x):
        values = [x]
        for function, inputs in self._calls:
            values.append(function(*[values[i] for i in inputs]))
        return values[-1]
