"""A runner without a framework: it accepts every graph and computes nothing, so what is measured is the seam alone."""
import math
import platform
import sys

from dlbench_runner import Description, Session, Setting, serve

OPS = ["add", "avg_pool", "batch_norm", "binary_cross_entropy", "concat", "conv2d", "conv_table", "dense", "dropout",
       "embedding", "flatten", "global_avg_pool", "lrn", "lstm", "max_pool", "relu", "sigmoid", "softmax",
       "softmax_cross_entropy", "tanh"]
OPTIMIZERS = ["adadelta", "adagrad", "adam", "rmsprop", "sgd"]


class NullSession(Session):
    def __init__(self, load):
        self._loss = math.log(max(2, load.graph.logits_shape[-1]))  # of a guess: every class equally likely
        self._threads = load.threads
        self._held = {}

    def put(self, parameter, values):
        self._held[parameter.name] = values.copy()

    def get(self, parameter, values):
        values[...] = self._held[parameter.name]

    def step(self, batch, rate):
        pass

    def loss(self):
        return self._loss

    def infer(self, batch):
        pass

    def outputs(self, logits):
        logits.fill(0)

    def effective(self):
        return [Setting("threads", self._threads, "no threads are made")]


if __name__ == "__main__":
    sys.exit(serve(Description(runner="null-python", framework="none", version="1",
                               build="no framework: measures the cost of the seam; Python " + platform.python_version(),
                               ops=OPS, optimizers=OPTIMIZERS), NullSession))
