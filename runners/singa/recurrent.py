"""The lstm of the neutral graph in SINGA: the wheel's own layer, which takes one tensor for each position."""
import numpy as np
from singa import autograd, layer, tensor

import repairs
from dlbench_runner import Layout

GATES = "ifgo"


class Cell:
    """The layer of a node and where its parameters are: one tensor for each gate, matrices [in, out].

    SINGA's layer has two biases; `Bh` stays zero, and nobody trains it.
    """

    def __init__(self, node, features):
        self.hidden = node.attributes["hidden"]
        self.layer = layer.LSTM(features, self.hidden)
        self.layer.initialize([tensor.Tensor((1, features))], None)
        prefixes = {"weight": "Wx_", "recurrent": "Wh_", "bias": "Bx_"}
        self.tensors = {p.name: [getattr(self.layer, prefixes[p.role] + gate) for gate in GATES]
                        for p in node.parameters}
        blocks = {p.name: Layout((self.hidden,) + p.shape[1:]) for p in node.parameters}
        self.layouts = {p.name: blocks[p.name] if p.role == "bias" else blocks[p.name].transpose()
                        for p in node.parameters}

    def run(self, xs):
        """h of every position."""
        start = repairs.constant(np.zeros((xs[0].shape[0], self.hidden)))
        return self.layer(xs, (start, start))[0]


def _positions(rows, shape):
    """From [rows * positions, features] to a list of [rows, features]."""
    positions, features = shape

    def by_position(x):
        x = autograd.transpose(autograd.reshape(x, (rows, positions, features)), (1, 0, 2))
        x = autograd.reshape(x, (positions * rows, features))
        return repairs.Split(0, [rows] * positions)(x) if positions > 1 else (x,)

    return by_position


def _rows(rows, shape):
    """The way back."""
    positions, features = shape

    def by_row(hs):
        h = repairs.Concat(0)(*hs)[0] if positions > 1 else hs[0]
        h = autograd.transpose(autograd.reshape(h, (positions, rows, features)), (1, 0, 2))
        return autograd.reshape(h, (rows * positions, features))

    return by_row


def lstm(context, node, inputs):
    """What another lstm gives is a list by position already; it is put together where somebody else reads it."""
    cell, graph = context.cells[node.name], context.graph
    xs = context.by_position.get(node.inputs[0])
    if xs is None:
        xs = context.add(_positions(context.rows, graph.shape_of(node.inputs[0])), inputs)
    if node.attributes["last_only"]:
        return context.add(lambda values: cell.run(values)[-1], [xs])
    hs = context.by_position[node.name] = context.add(cell.run, [xs])
    if all(other.op == "lstm" for other in graph.nodes if node.name in other.inputs):
        return None
    return context.add(_rows(context.rows, node.output_shape), [hs])
