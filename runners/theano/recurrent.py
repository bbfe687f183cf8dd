"""The lstm of the neutral graph in Theano: a scan over the positions, and the layouts that go with it."""
import numpy as np
import theano
import theano.tensor as tt

from dlbench_runner import input_first_layouts


def layouts(graph):
    """{parameter name: Layout}: every matrix that a row is multiplied with is [in, out]."""
    result = input_first_layouts(graph)
    for node in graph.nodes:
        if node.op == "lstm":
            result.update({p.name: result[p.name].transpose() for p in node.parameters if p.role != "bias"})
    return result


def _start(rows, hidden):
    """Zeros whose type does not depend on extents that happen to be 1: scan compares it with that of its results."""
    return tt.unbroadcast(tt.alloc(np.float32(0), rows, hidden), 0, 1)


def lstm(context, node, inputs):
    """As in Theano's LSTM tutorial: all positions' products with the inputs at once, before the scan."""
    weight, recurrent, bias = [context.parameters[p.name] for p in node.parameters]
    hidden = node.attributes["hidden"]
    sums = tt.dot(inputs[0].dimshuffle(1, 0, 2), weight) + bias

    def step(given, h_before, c_before):
        both = given + tt.dot(h_before, recurrent)
        i, f, g, o = [both[:, gate * hidden:(gate + 1) * hidden] for gate in range(4)]
        c = tt.nnet.sigmoid(f) * c_before + tt.nnet.sigmoid(i) * tt.tanh(g)
        return tt.nnet.sigmoid(o) * tt.tanh(c), c

    start = _start(inputs[0].shape[0], hidden)
    (h, _), _ = theano.scan(step, sequences=[sums], outputs_info=[start, start], name=node.name)
    return h[-1] if node.attributes["last_only"] else h.dimshuffle(1, 0, 2)
