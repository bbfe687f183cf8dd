"""Where Caffe2's formulas are other ones, as far as its versions differ: asked of the library."""
import numpy as np
from caffe2.python import core, workspace


def _takes_biased_variance():
    """Whether the running variance of SpatialBN takes the batch's biased variance: of -1 and 1 that is 1, else 2."""
    workspace.FeedBlob("probe", np.array([[[-1]], [[1]]], np.float32))
    for name, value in {"scale": 1, "shift": 0, "mean": 0, "variance": 0}.items():
        workspace.FeedBlob(name, np.array([value], np.float32))
    workspace.RunOperatorOnce(core.CreateOperator(
        "SpatialBN", ["probe", "scale", "shift", "mean", "variance"],
        ["normalised", "mean", "variance", "batch_mean", "batch_deviation"], momentum=0.0, is_test=0, order="NCHW"))
    variance = float(workspace.FetchBlob("variance")[0])
    workspace.ResetWorkspace()
    return variance < 1.5


def deviations():
    return ["ties_all", "ema_biased"] if _takes_biased_variance() else ["ties_all"]
