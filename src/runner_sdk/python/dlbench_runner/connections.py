"""Which inputs a convolution by a connection table reads, for frameworks that know only full and grouped convolutions."""
import numpy as np


def selections(graph, node):
    """Zeros and ones, float32 [outputs, readings, input channels]: a one where reading r of an output is of a channel."""
    outputs, readings = node.parameters[0].shape[:2]
    table = np.reshape(node.attributes["table"], (outputs, readings))
    return np.eye(graph.shape_of(node.inputs[0])[0], dtype=np.float32)[table]


def copying_kernels(graph, node):
    """Kernels [outputs * readings, input channels, 1, 1] of a convolution that copies what each reading reads, in order."""
    chosen = selections(graph, node)
    return chosen.reshape(-1, chosen.shape[2], 1, 1)
