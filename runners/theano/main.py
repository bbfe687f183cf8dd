"""Runner for Theano."""
import platform
import sys

import numpy
import theano

from dlbench_runner import Description, serve
from ops import OPS
from optimizers import NAMES
from session import TheanoSession

if __name__ == "__main__":
    BUILD = "numpy %s, Python %s, %s, %s" % (numpy.__version__, platform.python_version(), theano.config.gcc.cxxflags,
                                             theano.config.blas.ldflags)
    sys.exit(serve(Description(runner="theano", framework="Theano", version=theano.__version__, build=BUILD,
                               ops=OPS.names(), optimizers=NAMES, deviations=["ties_all"], input="alias"),
                   TheanoSession))
