"""Runner for Keras 3 on the back end that KERAS_BACKEND names: tensorflow, jax or torch."""
import importlib
import platform
import sys

import keras
import numpy

from dlbench_runner import Description, serve
from ops import OPS
from optimizers import NAMES

if __name__ == "__main__":
    BACKEND = keras.backend.backend()
    SESSION = importlib.import_module("%s_session" % BACKEND).BackendSession
    BUILD = "back end %s %s, numpy %s, Python %s" % (BACKEND, importlib.import_module(BACKEND).__version__,
                                                     numpy.__version__, platform.python_version())
    sys.exit(serve(Description(runner="keras", framework="Keras", version=keras.__version__, build=BUILD,
                               ops=OPS.names(), optimizers=NAMES,
                               deviations=["momentum=rate_inside", "ema_biased"], input="alias"), SESSION))
