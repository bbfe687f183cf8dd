"""A graph as an ONNX model, from which ONNX Runtime makes its training, evaluation and optimizer models."""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from dlbench_runner import lower
from ops import OPS

_OPSET = 17
_IR_VERSION = 8


class Network:
    """model: the forward pass from "input" to `scores`, its parameters as zeros.

    scores: the logits as the loss reads them, one row for each target. is_training: whether it normalises with the
    batch and drops elements; updates: by the name of a statistic the value that replaces it after a step; layouts: by
    the names of the parameters that ONNX does not keep as the graph does.
    """

    def __init__(self, graph, is_training):
        self.graph = graph
        self.is_training = is_training
        self.updates = {}
        self.layouts = {}
        self._nodes = []
        self._constants = {}
        self.scores = lower(graph, OPS, self, "input")[1]
        constants = [numpy_helper.from_array(np.array(value), name) for name, value in self._constants.items()]
        parameters = [numpy_helper.from_array(self._zeros(p), p.name) for p in graph.parameters]
        kind = TensorProto.INT64 if graph.vocabulary else TensorProto.FLOAT
        sample = helper.make_tensor_value_info("input", kind, ["rows", *graph.input_shape])
        scores = helper.make_tensor_value_info(self.scores, TensorProto.FLOAT, ["targets", graph.logits_shape[-1]])
        onnx_graph = helper.make_graph(self._nodes, graph.name, [sample], [scores], parameters + constants)
        self.model = helper.make_model(onnx_graph, opset_imports=[helper.make_opsetid("", _OPSET)],
                                       ir_version=_IR_VERSION)
        onnx.checker.check_model(self.model, full_check=True)

    def _zeros(self, parameter):
        zeros = np.zeros(parameter.shape, np.float32)
        return self.layouts[parameter.name].to_framework(zeros) if parameter.name in self.layouts else zeros

    def constant(self, value):
        """Name of a scalar or an array that no step changes."""
        name = "constant%d" % len(self._constants)
        self._constants[name] = value
        return name

    def add(self, kind, inputs, others=(), **attributes):
        """Appends one ONNX operator; returns its value's name. others: names of what it yields beside that."""
        name = "value%d" % len(self._nodes)
        self._nodes.append(helper.make_node(kind, inputs, [name, *others], **attributes))
        return name
