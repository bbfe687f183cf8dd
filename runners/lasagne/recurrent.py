"""The lstm of the neutral graph in Lasagne, which keeps matrices and a bias for each gate."""
from lasagne import layers, nonlinearities


def lstm(network, node, inputs):
    """Lasagne's gates are called in, forget, cell and out: the graph's i, f, g and o. Unasked it has peepholes."""
    gates = [layers.Gate(W_in, W_hid, None, b, nonlinearities.tanh if i == 2 else nonlinearities.sigmoid)
             for i, (W_in, W_hid, b) in enumerate(zip(*network.of(node)))]
    result = layers.LSTMLayer(inputs[0], node.attributes["hidden"], ingate=gates[0], forgetgate=gates[1],
                              cell=gates[2], outgate=gates[3], peepholes=False)
    return layers.SliceLayer(result, -1, axis=1) if node.attributes["last_only"] else result
