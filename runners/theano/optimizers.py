"""Optimizers of the recipe as Theano update rules: pairs (shared variable, its next value)."""
import numpy as np
import theano
import theano.tensor as tt

from dlbench_runner import Table, Unsupported


def _clipped(clip, gradients):
    """As the recipe says, before decay and momentum."""
    if clip["by"] == "element":
        return [tt.clip(g, np.float32(-clip["limit"]), np.float32(clip["limit"])) for g in gradients]
    if clip["by"] == "global_norm":
        limit = np.float32(clip["limit"])
        norm = tt.sqrt(sum(tt.sum(tt.sqr(g)) for g in gradients))
        return [g * (limit / tt.maximum(norm, limit)) for g in gradients]
    return gradients


class Sgd:
    """Both forms of momentum, each as its formula says."""

    def __init__(self, recipe, parameters, variables):
        wanted, self._clip = recipe["optimizer"], recipe["clip"]
        if wanted["form"] not in ("rate_outside", "rate_inside"):
            raise Unsupported("sgd form %s" % wanted["form"])
        self._rate_inside, self._nesterov = wanted["form"] == "rate_inside", wanted["nesterov"]
        self._momentum = np.float32(wanted["momentum"])
        self._decay = {p.name: np.float32(wanted["weight_decay"]) if p.decays(wanted) else 0
                       for p in parameters}
        self._velocities = {}
        if wanted["momentum"]:
            self._velocities = {name: theano.shared(np.zeros_like(variable.get_value()), name + ".velocity",
                                                    broadcastable=variable.broadcastable)
                                for name, variable in variables.items()}

    def forget(self, name):
        """State of one parameter as before the first step."""
        if name in self._velocities:
            velocity = self._velocities[name]
            velocity.set_value(np.zeros_like(velocity.get_value(borrow=True)), borrow=True)

    def updates(self, loss, variables, rate):
        names = sorted(variables)
        pairs = []
        gradients = _clipped(self._clip, tt.grad(loss, [variables[name] for name in names]))
        for name, gradient in zip(names, gradients):
            variable = variables[name]
            step = gradient + self._decay[name] * variable if self._decay[name] else gradient
            step = rate * step if self._rate_inside else step
            if name in self._velocities:
                velocity = self._momentum * self._velocities[name] + step
                pairs.append((self._velocities[name], velocity))
                step = step + self._momentum * velocity if self._nesterov else velocity
            pairs.append((variable, variable - (step if self._rate_inside else rate * step)))
        return pairs


OPTIMIZERS = Table("optimizer", {"sgd": Sgd})
# What the description says: the table's names and what every one of them can do besides.
NAMES = OPTIMIZERS.names() + ["nesterov", "clip=element", "clip=global_norm"]
