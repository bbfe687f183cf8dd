"""Optimizers of the recipe as Theano update rules: pairs (shared variable, its next value)."""
import numpy as np
import theano
import theano.tensor as tt

from dlbench_runner import Table, Unsupported


class Sgd:
    """Both forms of momentum, each as its formula says."""

    def __init__(self, wanted, parameters, variables):
        if wanted["form"] not in ("rate_outside", "rate_inside"):
            raise Unsupported("sgd form %s" % wanted["form"])
        self._rate_inside = wanted["form"] == "rate_inside"
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
        for name, gradient in zip(names, tt.grad(loss, [variables[name] for name in names])):
            variable = variables[name]
            step = gradient + self._decay[name] * variable if self._decay[name] else gradient
            step = rate * step if self._rate_inside else step
            if name in self._velocities:
                step = self._momentum * self._velocities[name] + step
                pairs.append((self._velocities[name], step))
            pairs.append((variable, variable - (step if self._rate_inside else rate * step)))
        return pairs


OPTIMIZERS = Table("optimizer", {"sgd": Sgd})
