"""Operators of the neutral graph on sequences, [batch, positions, features], in TensorFlow 1."""
import tensorflow as tf


def embedding(context, node, inputs):
    return tf.nn.embedding_lookup(context.parameter(node, "weight"), inputs[0])


def lstm(context, node, inputs):
    """The operator of tf.contrib.rnn.LSTMBlockFusedCell: all positions at once, and these come first inside."""
    x, hidden = tf.transpose(inputs[0], [1, 0, 2]), node.attributes["hidden"]
    start, no_peephole = tf.zeros([tf.shape(x)[1], hidden]), tf.zeros([hidden])
    h = tf.raw_ops.BlockLSTM(seq_len_max=tf.constant(x.shape[0].value, tf.int64), x=x, cs_prev=start, h_prev=start,
                             w=context.parameter(node, "kernel"), wci=no_peephole, wcf=no_peephole, wco=no_peephole,
                             b=context.parameter(node, "bias"), forget_bias=0.0, cell_clip=-1.0).h
    return h[-1] if node.attributes["last_only"] else tf.transpose(h, [1, 0, 2])


def _swap_gates(values):
    """Gates i, f, g, o along the last axis become i, g, f, o, the operator's order; and back."""
    return values.reshape(values.shape[:-1] + (4, -1))[..., [0, 2, 1, 3], :].reshape(values.shape)


class GatePlace:
    """Rows of `variable` that hold one parameter of an lstm in `layout`, with the gates in the operator's order."""

    def __init__(self, variable, layout, first_row=0):
        self.variable = variable
        self._layout = layout
        self._rows = slice(first_row, first_row + layout.framework_shape()[0])

    def put(self, session, values):
        whole = session.run(self.variable)
        whole[self._rows] = _swap_gates(self._layout.to_framework(values))
        self.variable.load(whole, session)

    def get(self, session, values):
        self._layout.to_canonical(_swap_gates(session.run(self.variable)[self._rows]), values)


def make_places(node, layouts, make):
    """{parameter name: GatePlace}. make(name, shape) makes a variable: `kernel` is [features + hidden, 4 hidden]."""
    weight, recurrent, bias = [p.name for p in node.parameters]
    features, width = layouts[weight].framework_shape()
    kernel = make(node.name + ".kernel", (features + node.attributes["hidden"], width))
    return {weight: GatePlace(kernel, layouts[weight]),
            recurrent: GatePlace(kernel, layouts[recurrent], features),
            bias: GatePlace(make(bias, (width,)), layouts[bias])}
