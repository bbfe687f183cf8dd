"""Optimizers of the recipe as Caffe solvers: each gives the type of its solver and what its prototxt says of it."""
import caffe

from dlbench_runner import Table, Unsupported

_SOLVER = """train_net: "%s"
base_lr: 0.0
lr_policy: "fixed"
snapshot_prefix: "%s"
snapshot_after_train: false
solver_mode: CPU
"""


def _sgd(wanted):
    """V <- momentum * V + rate * g; w <- w - V. That is rate_inside, and Python cannot change the momentum
    afterwards: whatever the recipe says, under a changing rate it is this form."""
    if wanted["form"] not in ("rate_outside", "rate_inside"):
        raise Unsupported("sgd form %s" % wanted["form"])
    return "Nesterov" if wanted["nesterov"] else "SGD", {"momentum": wanted["momentum"]}


def _adadelta(wanted):
    """Caffe calls the share that is kept momentum."""
    return "AdaDelta", {"momentum": wanted["rho"], "delta": wanted["epsilon"]}


def _require_zeros(wanted):
    """The history is out of Python's reach."""
    if wanted["initial_accumulator"]:
        raise Unsupported("%s with an initial accumulator" % wanted["name"])


def _adagrad(wanted):
    _require_zeros(wanted)
    return "AdaGrad", {"delta": wanted["epsilon"]}


def _rmsprop(wanted):
    _require_zeros(wanted)
    if wanted["centered"] or wanted["momentum"]:
        raise Unsupported("rmsprop that is centered or has momentum")
    if wanted["epsilon_place"] != "outside":
        raise Unsupported("rmsprop with epsilon inside the root")
    return "RMSProp", {"rms_decay": wanted["rho"], "delta": wanted["epsilon"]}


OPTIMIZERS = Table("optimizer", {"adadelta": _adadelta, "adagrad": _adagrad, "rmsprop": _rmsprop, "sgd": _sgd})
# What the description says: the table's names and what every one of them can do besides.
NAMES = OPTIMIZERS.names() + ["nesterov", "clip=global_norm"]


def make(recipe, folder, network_file):
    """Caffe clips the gradients of all parameters together, before it adds the decay."""
    wanted = recipe["optimizer"]
    kind, settings = OPTIMIZERS.at(wanted["name"])(wanted)
    settings["weight_decay"] = wanted["weight_decay"]
    if recipe["clip"]["by"] == "global_norm":
        settings["clip_gradients"] = recipe["clip"]["limit"]
    path = folder + "/solver.prototxt"
    with open(path, "w", encoding="ascii") as file:
        file.write(_SOLVER % (network_file, folder + "/start"))
        file.write('type: "%s"\nrandom_seed: %d\n' % (kind, recipe["initialiser"]["seed"]))
        file.writelines("%s: %r\n" % (name, float(value)) for name, value in sorted(settings.items()))
    return caffe.get_solver(path)
