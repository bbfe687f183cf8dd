"""Optimizers of the recipe as CNTK learners."""
import cntk as C

from dlbench_runner import Table, Unsupported

# The learner then takes the mean over the batch, and every rate as it is.
MEAN = C.learners.IGNORE


class Sgd:
    """momentum_sgd without unit gain: v <- momentum * v + rate * g; w <- w - v. That is rate_inside; the momentum
    cannot be changed afterwards, so it is this form whatever the recipe says."""

    def __init__(self, wanted, graph, parameters):
        if wanted["form"] not in ("rate_outside", "rate_inside"):
            raise Unsupported("sgd form %s" % wanted["form"])
        self._wanted = wanted
        decayed = [p for p in graph.trained if p.decays(wanted)]
        plain = [p for p in graph.trained if p not in decayed]
        self.learners = [self._learner([parameters[p.name] for p in group], decay)
                         for group, decay in ((decayed, wanted["weight_decay"]), (plain, 0.0)) if group]
        self._rate = None

    def _learner(self, parameters, decay):
        rate = C.learning_parameter_schedule(0.0, minibatch_size=MEAN)
        if not self._wanted["momentum"]:
            return C.sgd(parameters, rate, l2_regularization_weight=decay, minibatch_size=MEAN)
        momentum = C.momentum_schedule(self._wanted["momentum"], minibatch_size=MEAN)
        return C.momentum_sgd(parameters, rate, momentum, unit_gain=False, l2_regularization_weight=decay,
                              minibatch_size=MEAN)

    def set_rate(self, rate):
        if rate != self._rate:
            for learner in self.learners:
                learner.reset_learning_rate(C.learning_parameter_schedule(rate, minibatch_size=MEAN))
            self._rate = rate


OPTIMIZERS = Table("optimizer", {"sgd": Sgd})
