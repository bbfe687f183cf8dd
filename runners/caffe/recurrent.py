"""The lstm of the neutral graph in Caffe, whose recurrent layers have time first and another order of gates."""
from caffe import layers as L

# Block k of Caffe's i, f, o, g is block _BLOCKS[k] of i, f, g, o, and the other way round.
_BLOCKS = [0, 1, 3, 2]


def reordered(values):
    """Rows in the other order of gates; the change is the same in both directions."""
    return values.reshape((4, -1) + values.shape[1:])[_BLOCKS].reshape(values.shape)


def layer_name(node_name):
    """Of the LSTM itself: the node's own name is that of what the next node reads."""
    return node_name + ".lstm"


def mark(blob, rows):
    """Caffe's `cont`: whether a sequence goes on, for each position and row. All but the first do."""
    blob.reshape(blob.shape[0], rows)
    blob.data[...] = 1
    blob.data[0] = 0


def lstm(network, node, inputs):
    positions, is_last_only = network.graph.shape_of(node.inputs[0])[0], node.attributes["last_only"]
    x = network.by_time.get(node.inputs[0])
    if x is None:
        x = network.add_part(node, ".input", L.Permute(inputs[0], order=[1, 0, 2]))
    h = network.add(node, L.LSTM(x, network.add_mark(node, positions),
                                 recurrent_param={"num_output": node.attributes["hidden"]}), layer_name(node.name))
    if is_last_only:
        return _last(network, node, h, positions)
    network.by_time[node.name] = h
    if all(other.op == "lstm" for other in network.graph.nodes if node.name in other.inputs):
        return None  # nobody reads it by row
    return network.add_part(node, "", L.Permute(h, order=[1, 0, 2]))


def _last(network, node, h, positions):
    if positions > 1:
        before, h = L.Slice(h, ntop=2, axis=0, slice_point=[positions - 1])
        network.add_part(node, ".before", before)
        network.add_part(node, ".last", h)
        network.add_part(node, ".silence", L.Silence(before, ntop=0))
    return network.add_part(node, "", L.Reshape(h, shape={"dim": [-1, node.attributes["hidden"]]}))
