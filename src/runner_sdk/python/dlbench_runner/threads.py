"""Counts threads that a framework has no function to tell about: by name, by the work they do, by libraries under it."""
import ctypes
import os
import re

from .session import Setting, Unsupported

_OPENMP = re.compile(r"lib(iomp5|gomp|omp)\b")

# Of the busiest thread's CPU time. Who starts the work and waits for the others has a few hundredths of it.
_WORKING_SHARE = 1 / 3


def _name(task):
    with open("/proc/%s/comm" % task, encoding="ascii", errors="replace") as file:
        return file.read().rstrip("\n")


def _names():
    """{thread: its name}."""
    names = {}
    for task in os.listdir("/proc/self/task"):
        try:
            names[task] = _name("self/task/" + task)
        except OSError:  # a thread that ended meanwhile
            continue
    return names


def count_threads(prefix):
    """Threads of this process whose names begin with `prefix`."""
    return sum(name.startswith(prefix) for name in _names().values())


def count_started_threads(work, prefix):
    """Threads that the call work() starts and leaves there, named `prefix` and something, or not named: these keep the
    calling thread's name. A name of more than 15 characters names nothing: Linux refuses it."""
    before = _names()
    work()
    unnamed = _name("thread-self")
    return sum(name.startswith(prefix) or name == unnamed for task, name in _names().items() if task not in before)


def _cpu_times_ns():
    """{thread: nanoseconds on a CPU so far}."""
    times = {}
    for task in os.listdir("/proc/self/task"):
        try:
            with open("/proc/self/task/%s/schedstat" % task, encoding="ascii") as file:
                times[task] = int(file.read().split()[0])
        except OSError:  # a thread that ended meanwhile
            continue
    return times


def count_working_threads(work):
    """Threads of this process that share the call work(): one in many parts, some 10 ms of each thread's time. For
    frameworks that neither tell their number nor name their threads."""
    before = _cpu_times_ns()
    work()
    spent = [time - before.get(task, 0) for task, time in _cpu_times_ns().items()]
    return sum(time >= _WORKING_SHARE * max(spent) for time in spent)


def loaded_libraries(part):
    """Paths of this process's shared libraries whose file names contain `part`, sorted."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        paths = {line.split()[-1] for line in maps}
    return sorted(path for path in paths if ".so" in path and part in os.path.basename(path))


def openmp_threads():
    """{file name: team size, as it says itself} of every OpenMP library that is loaded; empty without one."""
    return {os.path.basename(path): ctypes.CDLL(path).omp_get_max_threads()
            for path in loaded_libraries("omp") if _OPENMP.match(os.path.basename(path))}


def require_openmp_threads(threads):
    """For frameworks whose OpenMP library fixes its team when the process starts: that team, or Unsupported."""
    made = openmp_threads()
    if set(made.values()) != {threads}:
        raise Unsupported("threads %d: OpenMP has %s since the process started" % (threads, made or "no library"))


def openmp_setting():
    """The setting "threads" as the OpenMP libraries tell it."""
    made = openmp_threads()
    return Setting("threads", max(made.values()), "omp_get_max_threads() of %s" % ", ".join(sorted(made)))
