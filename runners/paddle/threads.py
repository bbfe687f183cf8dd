"""How many threads the OpenMP libraries under PaddlePaddle use, as they say themselves."""
import ctypes
import re

_OPENMP = re.compile(r"lib(iomp5|gomp|omp)\b")


def openmp_threads():
    """{file name: threads} of every OpenMP library that is loaded."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        paths = {line.split()[-1] for line in maps}
    return {path.rsplit("/", 1)[-1]: ctypes.CDLL(path).omp_get_max_threads()
            for path in sorted(paths) if _OPENMP.match(path.rsplit("/", 1)[-1])}
