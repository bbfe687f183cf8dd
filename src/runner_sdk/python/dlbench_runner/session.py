"""What a runner implements (Session) and what it is given: the same names as in the C++ SDK."""
from collections import namedtuple


class Unsupported(Exception):
    """This work is not possible here; the text names what is missing ("op lstm")."""


class ProtocolError(Exception):
    """The host said something that the protocol does not allow here."""


class Parameter(namedtuple("Parameter", "name role shape")):
    """role: "weight", "recurrent" (a weight too), "bias", a normalisation's "scale" and "shift", or its statistics "mean" and "variance"."""

    __slots__ = ()

    @property
    def is_statistic(self):
        """Not trained: a training step itself replaces it."""
        return self.role in ("mean", "variance")

    def decays(self, optimizer):
        """Whether the weight decay of the recipe's optimizer applies."""
        flags = {"bias": "decay_bias", "scale": "decay_norm", "shift": "decay_norm"}
        return self.role in ("weight", "recurrent") or (self.role in flags and optimizer[flags[self.role]])


# attributes: dict with every attribute of the op, defaults filled in by the host
Node = namedtuple("Node", "name op inputs attributes output_shape parameters")
# A setting in force as somebody reports it; source says who ("torch.get_num_threads()").
Setting = namedtuple("Setting", "name value source")


class Graph:
    """A completed graph: every derived field is filled in by the host. The last node is the loss."""

    def __init__(self, document):
        self.name = document["name"]
        self.input_shape = tuple(document["input_shape"])
        self.vocabulary = document["vocabulary"]  # 0: the input is real; else it holds tokens 0 ... vocabulary - 1
        self.targets_per_sample = document["targets_per_sample"]
        self.nodes = [_node(entry) for entry in document["nodes"]]
        self.by_name = {node.name: node for node in self.nodes}
        self.parameters = [parameter for node in self.nodes for parameter in node.parameters]
        self.trained = [parameter for parameter in self.parameters if not parameter.is_statistic]
        self.logits = self.nodes[-1].inputs[0]  # name of the node whose output is the logits
        # [classes], or [positions, classes] with a target for each position
        self.logits_shape = self.by_name[self.logits].output_shape

    def shape_of(self, name):
        """Shape of a node's value, or of the sample."""
        source = self.by_name.get(name)
        return self.input_shape if source is None else source.output_shape


def _node(entry):
    parameters = [Parameter(p["name"], p["role"], tuple(p["shape"])) for p in entry["parameters"]]
    return Node(entry["name"], entry["op"], entry["inputs"], entry["attributes"], tuple(entry["output_shape"]),
                parameters)


class Load:
    """The work of one `load`. optimizer: dict as in docs/formats/graph.md."""

    def __init__(self, fields):
        self.graph = Graph(fields["graph"])
        self.recipe = fields["recipe"]
        self.optimizer = fields["recipe"]["optimizer"]
        self.mode = fields["mode"]  # "train" or "infer"
        self.device = fields["device"]
        self.precision = fields["precision"]
        self.threads = fields["threads"]
        self.batch = fields["batch"]  # rows of a full batch
        self.partial = fields["partial"]  # rows of the last partial batch; 0: there is none
        self.knobs = fields.get("knobs", {})


class Batch:
    """One ready batch of the ring: numpy views of the arena, unchanged until the session has drained."""

    __slots__ = ("input", "target", "rows", "slot")

    def __init__(self, input_view, target_view, rows, slot):
        self.input = input_view  # float32 [rows, input shape of the graph...]; int64 where that holds tokens
        self.target = target_view  # int64 [rows], or [rows, positions] where each position has one
        self.rows = rows
        self.slot = slot


class Session:
    """One per `load`. Any exception becomes an error reply; the session then still takes the next command."""

    def put(self, parameter, values):
        """Takes over a parameter (a view valid during the call only); its optimizer state starts anew."""
        raise NotImplementedError

    def get(self, parameter, values):
        """Drains, then copies the parameter into `values` (canonical shape)."""
        raise NotImplementedError

    def step(self, batch, rate):
        """TIMED: input, forward, loss, backward, update. May return early if drain() waits for the rest."""
        raise NotImplementedError

    def loss(self):
        """Mean loss of the last step's batch before its update; drains."""
        raise NotImplementedError

    def infer(self, batch):
        """TIMED: forward in evaluation mode."""
        raise NotImplementedError

    def outputs(self, logits):
        """Copies the logits of the last infer into `logits` [rows, logits shape of the graph...]; drains."""
        raise NotImplementedError

    def drain(self):
        """Returns when parameters, optimizer state and loss of the last step are complete."""

    def effective(self):
        """List of Setting as the framework itself reports them; must contain `threads`."""
        raise NotImplementedError
