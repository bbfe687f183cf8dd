"""The graph as a Caffe network: layers of a NetSpec, written out as a prototxt file."""
from caffe import layers as L
from caffe import NetSpec


class Network:
    """decays: whether weight decay applies, by role."""

    def __init__(self, graph, decays):
        self.graph = graph
        self._decays = decays
        self.spec = NetSpec()
        self.layers = {}  # name of the layer by name of its node, where it has parameters

    def add_input(self, name, shape):
        top = L.Input(input_param={"shape": {"dim": list(shape)}})
        setattr(self.spec, name, top)
        return top

    def add(self, node, top):
        """Names a layer after its node; its parameters decay as the recipe says."""
        if node.parameters:
            top.fn.params["param"] = [{"lr_mult": 1, "decay_mult": int(self._decays[p.role])} for p in node.parameters]
        setattr(self.spec, node.name, top)
        return top

    def may_overwrite(self, node):
        """Whether an activation may write over its input: nobody else reads it, its maker does not look back, and it is
        not the logits, which are fetched by their own name."""
        source = self.graph.by_name.get(node.inputs[0])
        readers = sum(other.inputs.count(node.inputs[0]) for other in self.graph.nodes)
        if source is None or readers != 1 or node.name == self.graph.logits:
            return False
        return source.op in ("conv2d", "dense", "max_pool")
