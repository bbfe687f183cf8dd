"""Runner for Keras 2 on TensorFlow 1."""
import platform
import sys

import keras
import numpy
import tensorflow

from dlbench_runner import Description, serve
from ops import OPS
from optimizers import NAMES
from session import KerasSession

if __name__ == "__main__":
    BUILD = "TensorFlow %s, numpy %s, Python %s" % (tensorflow.__version__, numpy.__version__,
                                                    platform.python_version())
    sys.exit(serve(Description(runner="keras2", framework="Keras", version=keras.__version__, build=BUILD,
                               ops=OPS.names(), optimizers=NAMES, input="copy"), KerasSession))
