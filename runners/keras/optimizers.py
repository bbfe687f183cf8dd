"""Optimizers of the recipe as Keras has them."""
import keras

from dlbench_runner import Table


def _sgd(wanted):
    """v <- momentum * v - rate * g; w <- w + v: the form rate_inside, whatever the recipe says (README.md).

    Its own weight_decay is another one, outside of the gradient; the recipe's is a penalty of the layers.
    """
    return keras.optimizers.SGD(learning_rate=0.01, momentum=float(wanted["momentum"]))


OPTIMIZERS = Table("optimizer", {"sgd": _sgd})
