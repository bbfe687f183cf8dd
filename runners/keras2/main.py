"""Runner for Keras 2 on the back end that KERAS_BACKEND names: tensorflow, theano or cntk."""
import platform
import sys

import keras
import numpy

from backend import BACKEND
from dlbench_runner import Description, serve
from ops import OPS
from optimizers import NAMES
from session import KerasSession

if __name__ == "__main__":
    BUILD = "%s, numpy %s, Python %s" % (BACKEND.BUILD, numpy.__version__, platform.python_version())
    sys.exit(serve(Description(runner="keras2", framework="Keras", version=keras.__version__, build=BUILD,
                               ops=OPS.names(), optimizers=NAMES, deviations=BACKEND.DEVIATIONS, input="copy"),
                   KerasSession))
