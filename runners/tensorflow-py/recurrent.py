"""Operators of the neutral graph on sequences, [batch, positions, features], in TensorFlow."""
import tensorflow as tf

from dlbench_runner import Layout, channels_last_layouts


class GateLayout:
    """A Layout whose blocks of rows are i, g, f, o, the order of BlockLSTM: as rows of 2 x 2, f and g change places."""

    def __init__(self, shape):
        self._blocks = (2, 2, shape[0] // 4) + tuple(shape[1:])
        self._layout = Layout(self._blocks).permute([3, 1, 0, 2] if len(shape) == 2 else [1, 0, 2])
        self._shape = tuple(shape[::-1])

    def framework_shape(self):
        return self._shape

    def to_framework(self, canonical):
        return self._layout.to_framework(canonical.reshape(self._blocks)).reshape(self._shape)

    def to_canonical(self, framework, canonical):
        self._layout.to_canonical(framework, canonical.reshape(self._blocks))


def layouts(graph):
    """{parameter name: Layout}: channels-last pictures, the gates of an lstm in BlockLSTM's order."""
    result = channels_last_layouts(graph)
    result.update({p.name: GateLayout(p.shape) for node in graph.nodes if node.op == "lstm" for p in node.parameters})
    return result


def embedding(context, node, inputs):
    return tf.nn.embedding_lookup(context.variables[node.name + ".weight"], inputs[0])


def _fused(x, weight, recurrent, bias):
    """TensorFlow's own operator. The gradient of its successor BlockLSTMV2 mixes the gates up."""
    hidden = recurrent.shape[0]
    start, no_peephole = tf.zeros([x.shape[1], hidden]), tf.zeros([hidden])
    result = tf.raw_ops.BlockLSTM(
        seq_len_max=tf.constant(x.shape[0], tf.int64), x=x, cs_prev=start, h_prev=start,
        w=tf.concat([weight, recurrent], 0), wci=no_peephole, wcf=no_peephole, wco=no_peephole, b=bias,
        forget_bias=0.0, cell_clip=-1.0)
    return result.h


def _scanned(x, weight, recurrent, bias):
    """XLA has no such operator: tf.scan over the positions, after one product of all inputs with their weights."""
    def cell(carry, from_input):
        h, c = carry
        i, g, f, o = tf.split(from_input + tf.matmul(h, recurrent), 4, axis=1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        return tf.sigmoid(o) * tf.tanh(c), c

    start = tf.zeros([x.shape[1], recurrent.shape[0]])
    from_inputs = tf.nn.bias_add(tf.tensordot(x, weight, 1), bias)
    return tf.scan(cell, from_inputs, (start, start))[0]


def lstm(context, node, inputs):
    """Positions come first inside, as in TensorFlow's operator."""
    weight, recurrent, bias = [tf.convert_to_tensor(context.variables[p.name]) for p in node.parameters]
    h = (_scanned if context.xla else _fused)(tf.transpose(inputs[0], [1, 0, 2]), weight, recurrent, bias)
    return h[-1] if node.attributes["last_only"] else tf.transpose(h, [1, 0, 2])
