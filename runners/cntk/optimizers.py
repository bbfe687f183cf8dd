"""Optimizers of the recipe as CNTK learners."""
import cntk as C

from dlbench_runner import Table, Unsupported

# The learner then takes the mean over the batch, and every rate as it is.
MEAN = C.learners.IGNORE


def _sgd(wanted, parameters, rate, settings):
    """Without unit gain: v <- momentum * v + rate * g; w <- w - v. That is rate_inside; the momentum cannot be changed
    afterwards, so it is this form whatever the recipe says."""
    if wanted["form"] not in ("rate_outside", "rate_inside"):
        raise Unsupported("sgd form %s" % wanted["form"])
    if not wanted["momentum"]:
        return C.sgd(parameters, rate, **settings)
    make = C.nesterov if wanted["nesterov"] else C.momentum_sgd
    return make(parameters, rate, C.momentum_schedule(wanted["momentum"], minibatch_size=MEAN), unit_gain=False,
                **settings)


def _adadelta(wanted, parameters, rate, settings):
    return C.adadelta(parameters, rate, wanted["rho"], wanted["epsilon"], **settings)


OPTIMIZERS = Table("optimizer", {"adadelta": _adadelta, "sgd": _sgd})
# What the description says: the table's names and what every one of them can do besides.
NAMES = OPTIMIZERS.names() + ["nesterov", "clip=element"]


class Optimizer:
    """One learner for the parameters that decay and one for the others. CNTK clips before it adds the decay."""

    def __init__(self, recipe, graph, parameters):
        wanted = recipe["optimizer"]
        make = OPTIMIZERS.at(wanted["name"])
        settings = {"minibatch_size": MEAN}
        if recipe["clip"]["by"] == "element":
            settings.update(gradient_clipping_threshold_per_sample=recipe["clip"]["limit"],
                            gradient_clipping_with_truncation=True)
        decayed = [p for p in graph.trained if p.decays(wanted)]
        plain = [p for p in graph.trained if p not in decayed]
        self.learners = [make(wanted, [parameters[p.name] for p in group],
                              C.learning_parameter_schedule(0.0, minibatch_size=MEAN),
                              dict(settings, l2_regularization_weight=decay))
                         for group, decay in ((decayed, wanted["weight_decay"]), (plain, 0.0)) if group]
        self._rate = None

    def set_rate(self, rate):
        if rate != self._rate:
            for learner in self.learners:
                learner.reset_learning_rate(C.learning_parameter_schedule(rate, minibatch_size=MEAN))
            self._rate = rate
