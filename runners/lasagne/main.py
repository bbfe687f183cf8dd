"""Runner for Lasagne on Theano."""
import platform
import sys

import theano_names  # pylint: disable=unused-import
import lasagne
import numpy
import theano

import optimizers
from dlbench_runner import Description, serve
from ops import OPS
from session import LasagneSession

if __name__ == "__main__":
    BUILD = "Theano %s, numpy %s, Python %s, %s, %s" % (
        theano.__version__, numpy.__version__, platform.python_version(), theano.config.gcc.cxxflags,
        theano.config.blas.ldflags)
    sys.exit(serve(Description(runner="lasagne", framework="Lasagne", version=lasagne.__version__, build=BUILD,
                               ops=OPS.names(), optimizers=optimizers.NAMES, deviations=["ties_all"], input="alias"),
                   LasagneSession))
