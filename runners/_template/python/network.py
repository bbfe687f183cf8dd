"""The "framework" of this template: layers in order in numpy. In a real runner this is the framework itself."""
import numpy as np


class Weights:
    """A parameter as this runner keeps it: in its own layout."""

    def __init__(self, parameter, layout):
        self.parameter = parameter
        self.layout = layout
        self.values = np.zeros(layout.framework_shape(), np.float32)
        self.gradient = np.zeros_like(self.values)
        self.velocity = np.zeros_like(self.values)  # of momentum


class Network:
    """Layers in execution order; each reads one place and writes the next. Places are indices, 0 is the input."""

    def __init__(self):
        self.layers = []  # (layer, place it reads)
        self.weights = {}  # by parameter name
        self.places = [None]

    def add(self, layer, source):
        self.layers.append((layer, source))
        self.places.append(None)
        return len(self.places) - 1

    def add_weights(self, parameter, layout):
        self.weights[parameter.name] = Weights(parameter, layout)
        return self.weights[parameter.name]

    def forward(self, batch_input):
        self.places[0] = batch_input
        for i, (layer, source) in enumerate(self.layers):
            self.places[i + 1] = layer.forward(self.places[source])

    def backward(self, place, gradient):
        """Starts from the gradient of `place`; a place that several layers read gets the sum of theirs."""
        gradients = [None] * len(self.places)
        gradients[place] = gradient
        for i in range(len(self.layers), 0, -1):
            if gradients[i] is None:
                continue
            layer, source = self.layers[i - 1]
            passed = layer.backward(self.places[source], gradients[i])
            gradients[source] = passed if gradients[source] is None else gradients[source] + passed


class Dense:
    """y = x W + b with W kept as [in, out], the transpose of the canonical order; the layout says so."""

    def __init__(self, weight, bias):
        self.weight = weight
        self.bias = bias  # may be None

    def forward(self, x):
        y = x @ self.weight.values
        return y if self.bias is None else y + self.bias.values

    def backward(self, x, dy):
        self.weight.gradient = x.T @ dy
        if self.bias is not None:
            self.bias.gradient = dy.sum(axis=0)
        return dy @ self.weight.values.T


class Relu:
    def forward(self, x):
        return np.maximum(x, np.float32(0))

    def backward(self, x, dy):
        return dy * (x > 0)


class Flatten:
    def forward(self, x):
        return x.reshape(x.shape[0], -1)

    def backward(self, x, dy):
        return dy.reshape(x.shape)
