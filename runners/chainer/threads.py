"""How many threads the libraries under Chainer use, as they say themselves."""
import ctypes

import chainer

from dlbench_runner import loaded_libraries


def _openblas():
    """Path of the BLAS that numpy brought, or None."""
    return next(iter(loaded_libraries("libopenblas")), None)


def blas_text():
    """For the build text: the BLAS that numpy brought."""
    return "BLAS %s" % (_openblas() or "none").rsplit("/", 1)[-1]


def in_force():
    """(threads, who says so)."""
    if chainer.config.use_ideep == "auto":
        openmp = ctypes.CDLL(loaded_libraries("libiomp5")[0])
        return openmp.omp_get_max_threads(), "omp_get_max_threads() of iDeep's OpenMP"
    return ctypes.CDLL(_openblas()).openblas_get_num_threads(), "openblas_get_num_threads() of numpy's BLAS"
