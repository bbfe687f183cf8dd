"""Operators of the neutral graph in Caffe."""
from caffe import layers as L
from caffe import params as P

from dlbench_runner import Table, Unsupported, copying_kernels
from network import SILENT
import recurrent


def _even_pads(node):
    """(height, width): Caffe pads both sides alike."""
    top, left, bottom, right = node.attributes["pads"]
    if (top, left) != (bottom, right):
        raise Unsupported("%s with uneven pads" % node.op)
    return top, left


def _window(node, pads):
    kernel, stride = node.attributes["kernel"], node.attributes["stride"]
    return {"kernel_h": kernel[0], "kernel_w": kernel[1], "stride_h": stride[0], "stride_w": stride[1],
            "pad_h": pads[0], "pad_w": pads[1]}


def conv2d(network, node, inputs):
    a = node.attributes
    return network.add(node, L.Convolution(inputs[0], num_output=a["out_channels"], group=a["groups"],
                                           dilation=list(a["dilation"]), bias_term=a["bias"],
                                           **_window(node, _even_pads(node))))


def conv_table(network, node, inputs):
    """Each output channel is a group of its own, which reads a copy of the input channels of its row. A convolution
    that is not trained makes the copies."""
    stride, copying = node.attributes["stride"], copying_kernels(network.graph, node)
    copies = network.add_constant(node, ".copies", copying, L.Convolution(
        inputs[0], num_output=len(copying), kernel_size=1, bias_term=False))
    outputs, _, height, width = node.parameters[0].shape
    return network.add(node, L.Convolution(copies, num_output=outputs, group=outputs, kernel_h=height, kernel_w=width,
                                           stride_h=stride[0], stride_w=stride[1]))


def _rounding(network, node, pads):
    """Caffe's rounding that makes the graph's windows. Where it pads it drops a last window that starts in the pad."""
    shape = network.graph.shape_of(node.inputs[0])
    for mode, roundup in ((P.Pooling.CEIL, True), (P.Pooling.FLOOR, False)):
        counts = [_window_count(node, shape, pads, axis, roundup) for axis in (0, 1)]
        if counts == list(node.output_shape[1:]):
            return {"round_mode": mode}
    raise Unsupported("%s with windows that neither rounding makes" % node.op)


def _window_count(node, shape, pads, axis, roundup):
    kernel, stride = node.attributes["kernel"][axis], node.attributes["stride"][axis]
    span = shape[axis + 1] + 2 * pads[axis] - kernel
    count = (-(-span // stride) if roundup else span // stride) + 1
    return count - 1 if any(pads) and (count - 1) * stride >= shape[axis + 1] + pads[axis] else count


def _pool(network, node, inputs, method, pads):
    return network.add(node, L.Pooling(inputs[0], pool=method, **_window(node, pads), **_rounding(network, node, pads)))


def max_pool(network, node, inputs):
    """What lies behind a picture never wins, so only the leading pads matter and how many windows there are."""
    return _pool(network, node, inputs, P.Pooling.MAX, node.attributes["pads"][:2])


def avg_pool(network, node, inputs):
    if not node.attributes["count_include_pad"] and any(node.attributes["pads"]):
        raise Unsupported("avg_pool with pads that do not count")
    return _pool(network, node, inputs, P.Pooling.AVE, _even_pads(node))


def global_avg_pool(network, node, inputs):
    return network.add(node, L.Pooling(inputs[0], pool=P.Pooling.AVE, global_pooling=True))


def dense(network, node, inputs):
    """One product for each position, where there are several."""
    a = node.attributes
    return network.add(node, L.InnerProduct(inputs[0], num_output=a["out_features"], bias_term=a["bias"],
                                            axis=len(node.output_shape)))


def relu(network, node, inputs):
    return network.add(node, L.ReLU(inputs[0], in_place=network.may_overwrite(node)))


def batch_norm(_network, _node, _inputs):
    raise Unsupported("batch_norm: in training this build's BatchNorm takes no statistics of the batch")


def dropout(network, node, inputs):
    """May also write over a ReLU, as in Caffe's AlexNet: what is dropped passes no gradient back to it anyway."""
    overwrites = network.may_overwrite(node, SILENT + ("relu",))
    return network.add(node, L.Dropout(inputs[0], dropout_ratio=node.attributes["rate"], in_place=overwrites))


def lrn(network, node, inputs):
    """Caffe divides alpha by the size."""
    a = node.attributes
    return network.add(node, L.LRN(inputs[0], local_size=a["size"], alpha=a["alpha"] * a["size"], beta=a["beta"],
                                   k=a["k"]))


def add(network, node, inputs):
    return network.add(node, L.Eltwise(*inputs, operation=P.Eltwise.SUM))


def concat(network, node, inputs):
    return network.add(node, L.Concat(*inputs))


def embedding(network, node, inputs):
    a = node.attributes
    return network.add(node, L.Embed(inputs[0], input_dim=a["vocabulary"], num_output=a["features"], bias_term=False))


def softmax_cross_entropy(network, node, inputs):
    if not hasattr(network, "target"):
        return inputs[0]
    axis = len(network.graph.logits_shape)
    return network.add(node, L.SoftmaxWithLoss(inputs[0], network.target, softmax_param={"axis": axis}))


def binary_cross_entropy(network, node, inputs):
    """Its own normalisation divides by the rows, as the graph does."""
    if not hasattr(network, "target"):
        return inputs[0]
    return network.add(node, L.SigmoidCrossEntropyLoss(inputs[0], network.target))


def _plain(layer):
    return lambda network, node, inputs: network.add(node, layer(inputs[0]))


OPS = Table("op", {"add": add, "avg_pool": avg_pool, "batch_norm": batch_norm,
                   "binary_cross_entropy": binary_cross_entropy, "concat": concat, "conv2d": conv2d, "conv_table": conv_table, "dense": dense,
                   "dropout": dropout, "embedding": embedding, "flatten": _plain(L.Flatten),
                   "global_avg_pool": global_avg_pool, "lrn": lrn, "lstm": recurrent.lstm, "max_pool": max_pool,
                   "relu": relu, "sigmoid": _plain(L.Sigmoid), "softmax": _plain(L.Softmax),
                   "softmax_cross_entropy": softmax_cross_entropy, "tanh": _plain(L.TanH)})
