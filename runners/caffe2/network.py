"""The graph as Caffe2 nets: operators with named blobs in the workspace."""
from caffe2.python import model_helper

# Operators whose gradients do not look at what they wrote.
SILENT = ("add", "batch_norm", "conv2d", "conv_table", "dense")


class Network:
    """One net in the making. Parameters are blobs by their canonical names."""

    def __init__(self, graph, name, target=None, seed=0):
        self.graph = graph
        self.seed = seed
        self.target = target
        self.is_training = target is not None
        self.by_time = {}  # blob [positions, rows, hidden] by name of the lstm that gives it
        self.model = model_helper.ModelHelper(name=name, init_params=False, arg_scope={"order": "NCHW"})
        self.net = self.model.net

    def add(self, operator, node, inputs, output=None, **arguments):
        """Adds an operator of Caffe2 that reads `inputs`; returns the name of what it writes."""
        output = output or node.name
        getattr(self.net, operator)(inputs, output, **arguments)
        return output

    def may_overwrite(self, node):
        """Whether an activation may write over its input: nobody else reads it, and its maker does not look back."""
        source = self.graph.by_name.get(node.inputs[0])
        readers = sum(other.inputs.count(node.inputs[0]) for other in self.graph.nodes)
        return readers == 1 and source is not None and source.op in SILENT
