"""Operators of the neutral graph on tokens and sequences, in Chainer."""
import chainer.functions as F
import chainer.links as L
import numpy as np

# Chainer's gates in the order in which it keeps them (a, i, f, o), counted in the graph's order i, f, g, o.
_GATES = np.array([2, 0, 1, 3])


def embedding(network, node, inputs):
    return network.add(network.add_layer(node, L.EmbedID(*node.parameters[0].shape)), inputs)


def _rows(hidden):
    """Row of the graph's parameters for each of Chainer's: it keeps the four gates of a unit side by side."""
    return (np.arange(hidden)[:, None] + hidden * _GATES).reshape(-1)


def lstm(network, node, inputs):
    """The cell of Chainer's example on the Penn Treebank without its state, which starts at zero for each batch."""
    hidden, last_only = node.attributes["hidden"], node.attributes["last_only"]
    cell = L.StatelessLSTM(network.graph.shape_of(node.inputs[0])[1], hidden)
    network.add_layer(node, cell, {"weight": cell.upward.W, "recurrent": cell.lateral.W, "bias": cell.upward.b},
                      _rows(hidden))

    def run(x):
        c = h = None
        outputs = []
        for position in F.separate(x, axis=1):
            c, h = cell(c, h, position)
            outputs.append(h)
        return h if last_only else F.stack(outputs, axis=1)
    return network.add(run, inputs)
