"""Operators of the neutral graph on tokens and sequences, as CNTK functions.

A value of shape [positions, features] is a CNTK sequence of features; only `flatten` and the last position leave it.
"""
import cntk as C
import numpy as np

# CNTK's gates i, g, f, o, counted in the graph's order i, f, g, o.
_GATES = np.array([0, 2, 1, 3])
# What C.layers.LSTM calls its parameters.
_NAMES = {"weight": "W", "recurrent": "H", "bias": "b"}


class Gates:
    """Layout of an lstm's parameters: CNTK has another order of gates and keeps matrices as [in, out]."""

    def __init__(self, hidden):
        self._rows = (hidden * _GATES[:, None] + np.arange(hidden)).reshape(-1)

    def to_framework(self, values):
        return np.ascontiguousarray(values[self._rows].T)

    def to_canonical(self, framework, values):
        values[self._rows] = framework.T


def lstm_layouts(graph):
    return {p.name: Gates(node.attributes["hidden"]) for node in graph.nodes if node.op == "lstm"
            for p in node.parameters}


def lstm(context, node, inputs):
    """The layer makes its own parameters: its second use, in a network of other rows, shares them."""
    cell = context.cells.get(node.name)
    if cell is None:
        cell = context.cells[node.name] = C.layers.LSTM(node.attributes["hidden"], init=0)
    states = C.layers.Recurrence(cell)(inputs[0])
    own = {parameter.name: parameter for parameter in cell.parameters}
    context.parameters.update((p.name, own[_NAMES[p.role]]) for p in node.parameters)
    return C.sequence.last(states) if node.attributes["last_only"] else states


def embedding(context, node, inputs):
    """Not the product with one-hot vectors of C.layers.Embedding: to its sparse gradient CNTK cannot add a decay."""
    return C.reshape(C.gather(context.parameters[node.name + ".weight"], inputs[0]), (node.attributes["features"],))
