"""The windows of padding="same" on back ends that take it for half a kernel on each side."""


def is_centred(graph, node):
    """Whether these are the node's windows: those of an odd kernel, each about a cell on which a stride begins. What
    strides leave over must be one cell at most: of more CNTK puts half in front."""
    a = node.attributes
    axes = zip(graph.shape_of(node.inputs[0])[1:], node.output_shape[1:], a["kernel"], a.get("dilation", (1, 1)),
               a["stride"], a["pads"])
    return all(kernel % 2 == 1 and 2 * before == (kernel - 1) * dilation and windows == -(-extent // stride)
               and (extent - 1) % stride < 2 for extent, windows, kernel, dilation, stride, before in axes)
