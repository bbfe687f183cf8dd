"""The graph as Chainer defines networks: a Chain of links, and a forward pass that runs anew in every step."""
import chainer

from dlbench_runner import last_readings

# Where a link keeps the node's parameters, by their roles. The statistics are arrays, everything else is a Parameter.
_ATTRIBUTES = {"weight": "W", "bias": "b", "scale": "gamma", "shift": "beta", "mean": "avg_mean",
               "variance": "avg_var"}


class Network(chainer.Chain):
    """Operators are added once, at load; forward calls them in order on numbered values."""

    def __init__(self, graph):
        super().__init__()
        self.graph = graph
        self.weights = {}  # chainer.Parameter by canonical name
        self.rows = {}  # by canonical name, where a link has its own order: canonical row of each of its rows
        self._statistics = {}  # (link, attribute) by canonical name: a link may replace the array
        self._calls = []  # (function, numbers of its inputs)
        self._dead = []  # per call the numbers of the values that no later one reads

    def add(self, function, inputs):
        """Number of the value that function(*inputs) will give. Number 0 is the batch."""
        self._calls.append((function, inputs))
        return len(self._calls)

    def finish(self):
        """After the last `add`."""
        self._dead = last_readings([inputs for _, inputs in self._calls], kept=len(self._calls))

    def add_layer(self, node, link, weights=None, rows=None):
        """Takes a link in that holds the node's parameters.

        weights: its Parameters by role where they are not the link's own attributes; rows: see above.
        """
        with self.init_scope():
            setattr(self, node.name, link)
        for parameter in node.parameters:
            attribute = _ATTRIBUTES.get(parameter.role)
            if parameter.is_statistic:
                self._statistics[parameter.name] = (link, attribute)
            else:
                self.weights[parameter.name] = weights[parameter.role] if weights else getattr(link, attribute)
            if rows is not None:
                self.rows[parameter.name] = rows
        return link

    def array_of(self, parameter):
        """The parameter's values: a numpy array, or iDeep's."""
        if parameter.is_statistic:
            return getattr(*self._statistics[parameter.name])
        return self.weights[parameter.name].array

    def set_array(self, parameter, array):
        if parameter.is_statistic:
            link, attribute = self._statistics[parameter.name]
            setattr(link, attribute, array)
        else:
            self.weights[parameter.name].array = array

    def forward(self, x):
        values = [x]
        for (function, inputs), dead in zip(self._calls, self._dead):
            values.append(function(*[values[i] for i in inputs]))
            for i in dead:
                values[i] = None
        return values[-1]
