"""Operators of the neutral graph on tokens and sequences, as ONNX operators."""
import numpy as np

# ONNX's gates i, o, f, c, counted in the graph's order i, f, g, o.
_GATES = np.array([0, 3, 1, 2])


class Gates:
    """Layout of an lstm's parameters: ONNX has another order of gates and an axis of directions in front."""

    def __init__(self, hidden):
        self._rows = (hidden * _GATES[:, None] + np.arange(hidden)).reshape(-1)

    def to_framework(self, values):
        return values[self._rows][None]

    def to_canonical(self, framework, values):
        values[self._rows] = framework[0]


def embedding(network, node, inputs):
    return network.add("Gather", [node.parameters[0].name, inputs[0]])


def lstm(network, node, inputs):
    hidden = node.attributes["hidden"]
    network.layouts.update((parameter.name, Gates(hidden)) for parameter in node.parameters)
    weight, recurrent, bias = [parameter.name for parameter in node.parameters]
    # ONNX has two biases in one tensor: behind the trained one the other stays at zero.
    biases = network.add("Concat", [bias, network.constant(np.zeros((1, 4 * hidden), np.float32))], axis=1)
    positions_first = network.add("Transpose", inputs, perm=[1, 0, 2])
    last = node.name + ".last"
    # The empty names are inputs left out. Were they not there, LSTMGrad would get its own inputs in wrong places.
    every = network.add("LSTM", [positions_first, weight, recurrent, biases, *[""] * 4], [last], hidden_size=hidden)
    if node.attributes["last_only"]:
        return network.add("Squeeze", [last, network.constant(np.array([0]))])
    return network.add("Transpose", [network.add("Squeeze", [every, network.constant(np.array([1]))])], perm=[1, 0, 2])
