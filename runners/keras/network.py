"""A graph as one keras.Model, pictures channels-last as Keras has them by default."""
import keras

from dlbench_runner import channels_last_layouts, lower
from ops import OPS


class Network:
    """model; variables: keras variables by the graph's parameter names; layouts: how they read the canonical ones."""

    def __init__(self, graph, optimizer):
        self.graph = graph
        self.layouts = channels_last_layouts(graph)
        self.variables = {}
        self._optimizer = optimizer
        x = keras.Input(graph.input_shape, dtype="float32")
        self.model = keras.Model(x, lower(graph, OPS, self, self._picture(x))[0])

    def _picture(self, x):
        shape = self.graph.input_shape
        if len(shape) != 3:
            return x
        if shape[0] == 1:
            return keras.layers.Reshape((shape[1], shape[2], 1))(x)
        return keras.layers.Permute((2, 3, 1))(x)

    def regularizers(self, node):
        """Arguments of a layer: the recipe's decay as a penalty decay / 2 * sum of w * w; its gradient is decay * w."""
        decay = self._optimizer["weight_decay"]
        if not decay:
            return {}
        penalty = keras.regularizers.L2(decay / 2)
        return {"kernel_regularizer": penalty,
                "bias_regularizer": penalty if self._optimizer["decay_bias"] and node.attributes["bias"] else None}

    def add(self, node, layer, x):
        """Applies a layer with parameters."""
        result = layer(x)
        for parameter in node.parameters:
            self.variables[parameter.name] = layer.kernel if parameter.role == "weight" else layer.bias
        return result
