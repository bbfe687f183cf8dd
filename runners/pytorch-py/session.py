"""One network in PyTorch, eager or through torch.compile."""
import torch

from averages import Averages
from dlbench_runner import Session, Setting, Unsupported
from losses import LOSSES
from network import Network
from optimizers import OPTIMIZERS


def _counters():
    from torch._dynamo.utils import counters  # eager runs do without the compiler
    return counters


def _needs_gradient(graph, name):
    """Whether training asks for the gradient of this value: something before it is trained."""
    node = graph.by_name.get(name)
    return node is not None and (bool(node.parameters) or any(_needs_gradient(graph, source) for source in node.inputs))


def _allow_lstm(load):
    """Unasked TorchDynamo leaves nn.LSTM to eager PyTorch.

    Inductor takes one whose input needs no gradient for inference, and its training step then ends in a TypeError.
    """
    for node in load.graph.nodes:
        if node.op == "lstm" and load.mode == "train" and not _needs_gradient(load.graph, node.inputs[0]):
            raise Unsupported("lstm on the sample itself under torch.compile: its code fails in training")
    torch._dynamo.config.allow_rnn = True


class PytorchSession(Session):
    def __init__(self, load, compiled):
        torch.set_num_threads(load.threads)
        torch.manual_seed(load.recipe["initialiser"]["seed"])  # of dropout: weights come by put
        self._compiled = compiled
        self._network = Network(load.graph)
        self._loss_of = LOSSES[load.graph.nodes[-1].op]
        self._loss = self._logits = None
        self._optimizer = None
        if load.mode == "train":
            self._optimizer = OPTIMIZERS.at(load.optimizer["name"])(load.recipe, load.graph.trained,
                                                                    self._network.tensors)
        averages = load.mode == "train" and load.recipe["weight_ema"]["decay"]
        self._averages = Averages(self._network, load.recipe["weight_ema"]) if averages else None
        self._evaluated = self._averages.module if averages else self._network
        if compiled:
            self._compile(load)

    def _compile(self, load):
        """Both batch shapes, for training and for evaluation, each for its fixed shape.

        fullgraph: what cannot be compiled as one graph is an error and does not run eagerly in silence.
        """
        torch.compiler.reset()
        _allow_lstm(load)
        _counters().clear()
        for network in {self._network, self._evaluated}:
            network.compile(fullgraph=True, dynamic=False)
        for rows in sorted({load.batch, load.partial} - {0}):
            x = torch.zeros((rows,) + load.graph.input_shape,
                            dtype=torch.int64 if load.graph.vocabulary else torch.float32)
            if self._optimizer is not None:
                target = torch.zeros((rows,) + load.graph.logits_shape[:-1], dtype=torch.int64)
                self._loss_of(self._network.train()(x), target).backward()
                self._optimizer.zero_grad()
            with torch.no_grad():
                self._evaluated.eval()(x)

    def put(self, parameter, values):
        with torch.no_grad():
            self._network.tensors[parameter.name].copy_(torch.from_numpy(values))
        if self._optimizer is not None:
            self._optimizer.forget()
        if self._averages is not None:
            self._averages.restart()

    def get(self, parameter, values):
        values[...] = self._network.tensors[parameter.name].detach().numpy()

    def step(self, batch, rate):
        if not self._network.training:
            self._network.train()
        if self._averages is not None:
            self._averages.begin_step()
        self._optimizer.zero_grad()
        loss = self._loss_of(self._network(torch.from_numpy(batch.input)), torch.from_numpy(batch.target))
        loss.backward()
        self._optimizer.step(rate)
        if self._averages is not None:
            self._averages.end_step()
        self._loss = loss

    def loss(self):
        return self._loss.item()

    def infer(self, batch):
        if self._evaluated.training:
            self._evaluated.eval()
        with torch.no_grad():
            self._logits = self._evaluated(torch.from_numpy(batch.input))

    def outputs(self, logits):
        logits[...] = self._logits.numpy()

    def effective(self):
        settings = [
            Setting("threads", torch.get_num_threads(), "torch.get_num_threads()"),
            Setting("interop_threads", torch.get_num_interop_threads(), "torch.get_num_interop_threads()"),
            Setting("matmul_precision", torch.get_float32_matmul_precision(), "torch.get_float32_matmul_precision()"),
            Setting("mkldnn", "on" if torch.backends.mkldnn.enabled else "off", "torch.backends.mkldnn.enabled")]
        if self._compiled:
            settings.append(Setting("compiled_graphs", _counters()["stats"]["unique_graphs"],
                                    "torch._dynamo.utils.counters"))
        return settings
