"""A graph as an ONNX model, from which ONNX Runtime makes its training, evaluation and optimizer models."""
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from dlbench_runner import lower
from ops import OPS

_OPSET = 17
_IR_VERSION = 8


class Network:
    """model: the forward pass from "input" to `logits`, its parameters as zeros."""

    def __init__(self, graph):
        self.graph = graph
        self._nodes = []
        self.logits = lower(graph, OPS, self, "input")[0]
        parameters = [numpy_helper.from_array(np.zeros(p.shape, np.float32), p.name) for p in graph.parameters]
        sample = helper.make_tensor_value_info("input", TensorProto.FLOAT, ["rows", *graph.input_shape])
        logits = helper.make_tensor_value_info(self.logits, TensorProto.FLOAT, ["rows", *graph.logits_shape])
        onnx_graph = helper.make_graph(self._nodes, graph.name, [sample], [logits], parameters)
        self.model = helper.make_model(onnx_graph, opset_imports=[helper.make_opsetid("", _OPSET)],
                                       ir_version=_IR_VERSION)
        onnx.checker.check_model(self.model, full_check=True)

    def add(self, kind, inputs, **attributes):
        """Appends one ONNX operator; returns its value's name."""
        name = "value%d" % len(self._nodes)
        self._nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name
