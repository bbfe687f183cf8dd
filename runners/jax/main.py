"""Runner for JAX."""
import platform
import sys

import jax
import jaxlib
import numpy

from dlbench_runner import Description, serve
from ops import OPS
from optimizers import ALSO, OPTIMIZERS
from session import JaxSession

if __name__ == "__main__":
    jax.devices()  # the client is part of "loaded and usable"
    BUILD = "jaxlib %s, numpy %s, Python %s, %s" % (jaxlib.__version__, numpy.__version__, platform.python_version(),
                                                    jax.devices()[0].client.platform_version)
    sys.exit(serve(Description(runner="jax", framework="JAX", version=jax.__version__, build=BUILD, ops=OPS.names(),
                               optimizers=OPTIMIZERS.names() + ALSO, input="alias"), JaxSession))
