"""How many threads the libraries under Chainer use, as they say themselves."""
import ctypes

import chainer


def _loaded(part):
    """Path of the loaded library whose name contains `part`."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        for line in maps:
            path = line.split()[-1]
            if part in path.rsplit("/", 1)[-1]:
                return path
    return None


def _openblas():
    return ctypes.CDLL(_loaded("libopenblas")).openblas_get_num_threads()


def blas_text():
    """For the build text: the BLAS that numpy brought."""
    return "BLAS %s" % (_loaded("libopenblas") or "none").rsplit("/", 1)[-1]


def in_force():
    """(threads, who says so)."""
    if chainer.config.use_ideep == "auto":
        return ctypes.CDLL(_loaded("libiomp5")).omp_get_max_threads(), "omp_get_max_threads() of iDeep's OpenMP"
    return _openblas(), "openblas_get_num_threads() of numpy's BLAS"
