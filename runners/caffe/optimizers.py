"""Optimizers of the recipe as Caffe solvers."""
import caffe

from dlbench_runner import Table, Unsupported

_SOLVER = """train_net: "%s"
base_lr: 0.0
lr_policy: "fixed"
momentum: %r
weight_decay: %r
snapshot_prefix: "%s"
snapshot_after_train: false
solver_mode: CPU
random_seed: %d
"""


def sgd(recipe, folder, network_file):
    """SGDSolver: V <- momentum * V + rate * (g + decay * w); w <- w - V. That is rate_inside, and Python cannot
    change the momentum afterwards: whatever the recipe says, under a changing rate it is this form."""
    wanted = recipe["optimizer"]
    if wanted["form"] not in ("rate_outside", "rate_inside"):
        raise Unsupported("sgd form %s" % wanted["form"])
    path = folder + "/solver.prototxt"
    with open(path, "w", encoding="ascii") as file:
        file.write(_SOLVER % (network_file, float(wanted["momentum"]), float(wanted["weight_decay"]),
                              folder + "/start", recipe["initialiser"]["seed"]))
    return caffe.SGDSolver(path)


OPTIMIZERS = Table("optimizer", {"sgd": sgd})
