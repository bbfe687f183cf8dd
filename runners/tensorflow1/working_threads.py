"""Counts the threads that do a piece of work, for frameworks that neither tell their number nor name them."""
import os

# Of the busiest thread's CPU time. Who starts the work and waits for the others has a few hundredths of it.
_WORKING_SHARE = 1 / 3


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
    """Threads of this process that share the call work(): one in many parts, some 10 ms of each thread's time."""
    before = _cpu_times_ns()
    work()
    spent = [time - before.get(task, 0) for task, time in _cpu_times_ns().items()]
    return sum(time >= _WORKING_SHARE * max(spent) for time in spent)
