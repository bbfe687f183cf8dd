"""The graph as a Caffe network: layers of a NetSpec, written out as a prototxt file."""
from caffe import layers as L
from caffe import NetSpec

# Operators whose layers do not look at what they wrote when gradients come back.
SILENT = ("conv2d", "dense", "dropout", "max_pool")

# Roles in the order in which a layer keeps its blobs.
BLOBS = ("weight", "bias", "recurrent")


class Network:
    """rows: of the batch that it is written for; decays: whether weight decay applies, by role."""

    def __init__(self, graph, rows, decays):
        self.graph = graph
        self._decays = decays
        self.spec = NetSpec()
        self.rows = rows
        self.by_time = {}  # [positions, rows, hidden] by name of the lstm that gives it
        self.constants = {}  # weights that are not trained, by layer
        self.marks = []  # names of the inputs that say where a sequence goes on

    def add_input(self, name, shape):
        top = L.Input(input_param={"shape": {"dim": list(shape)}})
        setattr(self.spec, name, top)
        return top

    def add(self, node, top, name=None):
        """Names a layer after its node; its parameters decay as the recipe says."""
        if node.parameters:
            roles = sorted((p.role for p in node.parameters), key=BLOBS.index)
            top.fn.params["param"] = [{"lr_mult": 1, "decay_mult": int(self._decays[role])} for role in roles]
        setattr(self.spec, name or node.name, top)
        return top

    def add_part(self, node, suffix, top):
        """One more layer of a node, without parameters."""
        setattr(self.spec, node.name + suffix, top)
        return top

    def add_constant(self, node, suffix, weight, top):
        """One more layer of a node, whose weight is not trained."""
        top.fn.params["param"] = [{"lr_mult": 0, "decay_mult": 0}]
        self.constants[node.name + suffix] = weight
        return self.add_part(node, suffix, top)

    def add_mark(self, node, positions):
        """The input by which an LSTM knows where a sequence goes on."""
        self.marks.append(node.name + ".goes_on")
        return self.add_input(self.marks[-1], (positions, self.rows))

    def may_overwrite(self, node, makers=SILENT):
        """Whether a layer may write over its input: nobody else reads it, its maker does not look back, and it is
        not the logits, which are fetched by their own name."""
        source = self.graph.by_name.get(node.inputs[0])
        readers = sum(other.inputs.count(node.inputs[0]) for other in self.graph.nodes)
        if source is None or readers != 1 or node.name == self.graph.logits:
            return False
        return source.op in makers
