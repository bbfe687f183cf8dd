"""The lstm of the neutral graph in Caffe2, whose cells have time first, another order of gates and a second bias."""
import numpy as np
from caffe2.python import rnn_cell, workspace

# Block k of Caffe2's i, f, o, g is block _BLOCKS[k] of i, f, g, o, and the other way round.
_BLOCKS = [0, 1, 3, 2]
# Behind the node's name: how rnn_cell.LSTM names its parameters.
_BLOBS = {"weight": "/i2h_w", "bias": "/i2h_b", "recurrent": "/gates_t_w"}


def reordered(values):
    """Rows in the other order of gates; the change is the same in both directions."""
    return values.reshape((4, -1) + values.shape[1:])[_BLOCKS].reshape(values.shape)


def blobs(graph):
    """{parameter name: blob}: where it is no lstm's, the name itself."""
    return {p.name: node.name + _BLOBS[p.role] if node.op == "lstm" else p.name
            for node in graph.nodes for p in node.parameters}


def _start(node):
    return [node.name + ".h_start", node.name + ".c_start"]


def feed_starts(graph, rows):
    """The states before the first position, zeros for each row, and the second bias, which nobody trains."""
    for node in graph.nodes:
        if node.op == "lstm":
            hidden = node.attributes["hidden"]
            for name in _start(node):
                workspace.FeedBlob(name, np.zeros((1, rows, hidden), np.float32))
            workspace.FeedBlob(node.name + "/gates_t_b", np.zeros(4 * hidden, np.float32))


def lstm(network, node, inputs):
    """rnn_cell.LSTM between two transpositions; what another lstm gives has time first already."""
    x = network.by_time.get(node.inputs[0])
    if x is None:
        x = network.add("Transpose", node, inputs, node.name + ".input", axes=[1, 0, 2])
    is_last_only = node.attributes["last_only"]
    h_all, h_last, _, _ = rnn_cell.LSTM(network.model, x, None, _start(node), network.graph.shape_of(node.inputs[0])[1],
                                        node.attributes["hidden"], scope=node.name, forget_bias=0.0,
                                        outputs_with_grads=(1,) if is_last_only else (0,),
                                        forward_only=not network.is_training)
    if is_last_only:
        return network.add("Squeeze", node, [h_last], dims=[0])
    network.by_time[node.name] = h_all
    if all(other.op == "lstm" for other in network.graph.nodes if node.name in other.inputs):
        return None  # nobody reads it by row
    return network.add("Transpose", node, [h_all], axes=[1, 0, 2])
