"""Operators of sequences in Gluon: [rows, positions] of tokens, [rows, positions, features]."""
from mxnet.gluon import nn, rnn


def embedding(network, node, inputs):
    """With a dense gradient, so that decay and momentum move every row."""
    a = node.attributes
    layer = nn.Embedding(a["vocabulary"], a["features"], sparse_grad=False, prefix=node.name + "_")
    return network.add_layer(node, layer, inputs)


def lstm(network, node, inputs):
    """Gluon adds two biases: the second stays 0 and is not trained."""
    layer = rnn.LSTM(node.attributes["hidden"], layout="NTC", input_size=node.parameters[0].shape[1],
                     prefix=node.name + "_")
    layer.l0_h2h_bias.grad_req = "null"
    states = network.add_layer(node, layer, inputs, _LSTM_ATTRIBUTES)
    if not node.attributes["last_only"]:
        return states
    return network.add(_last_position, [states])


def _last_position(F, states):
    """Not SequenceLast, whose gradient without lengths reads places that nobody has written."""
    return F.squeeze(F.slice_axis(states, axis=1, begin=-1, end=None), axis=1)


_LSTM_ATTRIBUTES = {"weight": "l0_i2h_weight", "recurrent": "l0_h2h_weight", "bias": "l0_i2h_bias"}
