"""The op table and the optimizer table: what this runner has. A missing name is refused as UNSUPPORTED by the SDK."""
import numpy as np

from dlbench_runner import Layout, Table
from network import Dense, Flatten, Relu


def _dense(network, node, inputs):
    weight = network.add_weights(node.parameters[0], Layout(node.parameters[0].shape).transpose())
    bias = None
    if node.attributes["bias"]:
        bias = network.add_weights(node.parameters[1], Layout(node.parameters[1].shape))
    return network.add(Dense(weight, bias), inputs[0])


def _relu(network, node, inputs):
    return network.add(Relu(), inputs[0])


def _flatten(network, node, inputs):
    return network.add(Flatten(), inputs[0])


def _softmax_cross_entropy(network, node, inputs):
    return inputs[0]  # the session computes the loss from the logits


OPS = Table("op", {"dense": _dense, "flatten": _flatten, "relu": _relu,
                   "softmax_cross_entropy": _softmax_cross_entropy})


def _sgd(weights, optimizer, rate):
    """Where the rate stands decides what happens to old velocity when the rate changes; see docs/gate.md."""
    decays = weights.parameter.decays(optimizer)
    decay = np.float32(optimizer["weight_decay"] if decays else 0)
    gradient = weights.gradient + decay * weights.values
    momentum, eta = np.float32(optimizer["momentum"]), np.float32(rate)
    if optimizer["form"] == "rate_inside":
        weights.velocity = momentum * weights.velocity + eta * gradient
        weights.values = weights.values - weights.velocity
    else:
        weights.velocity = momentum * weights.velocity + gradient
        weights.values = weights.values - eta * weights.velocity


OPTIMIZERS = Table("optimizer", {"sgd": _sgd})
