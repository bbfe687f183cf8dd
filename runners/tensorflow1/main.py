"""Runner for TensorFlow 1: graph mode with a Session."""
import platform
import sys

import numpy
import tensorflow as tf

from dlbench_runner import Description, serve
from ops import OPS
from optimizers import NAMES
from session import GraphSession

if __name__ == "__main__":
    BUILD = "numpy %s, Python %s, git %s" % (numpy.__version__, platform.python_version(), tf.version.GIT_VERSION)
    sys.exit(serve(Description(runner="tensorflow1", framework="TensorFlow", version=tf.__version__, build=BUILD,
                               ops=OPS.names(), optimizers=NAMES, input="alias"), GraphSession))
