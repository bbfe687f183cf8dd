"""A graph as one keras.Model, pictures channels-last as Keras has them by default."""
import keras

from dlbench_runner import channels_last_layouts, lower
from ops import OPS

# Of a layer by the role of a parameter.
_VARIABLES = {"weight": "kernel", "recurrent": "recurrent_kernel", "bias": "bias", "scale": "gamma", "shift": "beta",
              "mean": "moving_mean", "variance": "moving_variance"}
_PENALTIES = {"weight": "kernel_regularizer", "recurrent": "recurrent_regularizer", "bias": "bias_regularizer",
              "scale": "gamma_regularizer", "shift": "beta_regularizer"}


class Network:
    """model; variables: keras variables by the graph's parameter names; layouts: how they read the canonical ones.

    optimizer: the recipe's, whose decay the layers' penalties are; None for layers without.
    """

    def __init__(self, graph, optimizer):
        self.graph = graph
        self.layouts = channels_last_layouts(graph)
        self.variables = {}
        self._optimizer = optimizer
        x = keras.Input(graph.input_shape, dtype="int64" if graph.vocabulary else "float32")
        self.model = keras.Model(x, lower(graph, OPS, self, self._picture(x))[0])

    def _picture(self, x):
        shape = self.graph.input_shape
        if len(shape) != 3:
            return x
        if shape[0] == 1:
            return keras.layers.Reshape((shape[1], shape[2], 1))(x)
        return keras.layers.Permute((2, 3, 1))(x)

    def regularizers(self, node, names=_PENALTIES):
        """Arguments of a layer: the recipe's decay as a penalty decay / 2 * sum of w * w; its gradient is decay * w."""
        if self._optimizer is None or not self._optimizer["weight_decay"]:
            return {}
        penalty = keras.regularizers.L2(self._optimizer["weight_decay"] / 2)
        return {names[p.role]: penalty for p in node.parameters if p.decays(self._optimizer)}

    def add(self, node, layer, x):
        """Applies a layer with parameters that it holds itself under their usual names."""
        result = layer(x)
        self.bind(node, layer)
        return result

    def bind(self, node, owner, names=_VARIABLES):
        """The built owner's variables hold the node's parameters."""
        for parameter in node.parameters:
            self.variables[parameter.name] = getattr(owner, names[parameter.role])
