"""Runner for Caffe."""
import platform
import sys

import image_stand_ins  # pylint: disable=unused-import
import caffe
import numpy

from dlbench_runner import Description, serve
from ops import OPS
import optimizers
from session import CaffeSession

if __name__ == "__main__":
    caffe.set_mode_cpu()
    BUILD = "kendryte-caffe with its own OpenBLAS, numpy %s, Python %s" % (numpy.__version__,
                                                                         platform.python_version())
    sys.exit(serve(Description(runner="caffe", framework="Caffe", version=caffe.__version__, build=BUILD,
                               ops=OPS.names(), optimizers=optimizers.NAMES, deviations=["momentum=rate_inside"],
                               input="copy"), CaffeSession))
