"""Graphs in frameworks that keep pictures as height, width, channels, and what that means for the parameters.

A flatten then gives another order of features than the graph means. Where only dense layers see it, the order of their
weights makes up for that; elsewhere the picture is put into the graph's order first.
"""
from .layout import Layout

# Operators that do the same to every feature, wherever it stands.
_ORDER_BLIND = ("dropout", "relu", "sigmoid", "softmax", "tanh")


def _only_dense_reads(graph, name):
    readers = [node for node in graph.nodes if name in node.inputs]
    return all(reader.op == "dense" or (reader.op in _ORDER_BLIND and _only_dense_reads(graph, reader.name))
               for reader in readers)


def keeps_channels_last(graph, flatten):
    """Whether the node `flatten` may leave its features in the order in which they lie."""
    return len(graph.shape_of(flatten.inputs[0])) != 3 or _only_dense_reads(graph, flatten.name)


def _picture_before(graph, dense):
    """(channels, height, width) of the picture whose features the node reads in channels-last order, or None."""
    source = graph.by_name.get(dense.inputs[0])
    while source is not None and source.op in _ORDER_BLIND:
        source = graph.by_name.get(source.inputs[0])
    if source is None or source.op != "flatten" or not keeps_channels_last(graph, source):
        return None
    shape = graph.shape_of(source.inputs[0])
    return tuple(shape) if len(shape) == 3 else None


def _weight_layout(graph, node, shape):
    if node.op == "embedding":
        return Layout(shape)
    if len(shape) == 4:
        return Layout(shape).permute([2, 3, 1, 0])
    picture = _picture_before(graph, node)
    return (Layout(shape) if picture is None else Layout(shape).channels_last(1, picture)).transpose()


def _parameter_layout(graph, node, parameter):
    if parameter.role == "recurrent":
        return Layout(parameter.shape).transpose()
    return _weight_layout(graph, node, parameter.shape) if parameter.role == "weight" else Layout(parameter.shape)


def channels_last_layouts(graph):
    """{parameter name: Layout}.

    Convolutions are [height, width, in, out], dense layers [in, out], an lstm's matrices [in, 4 hidden] and
    [hidden, 4 hidden]; an embedding's weight is canonical.
    """
    return {parameter.name: _parameter_layout(graph, node, parameter) for node in graph.nodes
            for parameter in node.parameters}
