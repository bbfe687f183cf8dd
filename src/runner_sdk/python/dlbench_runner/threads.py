"""Counts threads by their names, for frameworks that have no function to tell how many theirs are."""
import os


def count_threads(prefix):
    """Threads of this process whose names begin with `prefix`."""
    found = 0
    for task in os.listdir("/proc/self/task"):
        try:
            with open("/proc/self/task/%s/comm" % task, encoding="ascii", errors="replace") as file:
                found += file.read().startswith(prefix)
        except OSError:  # a thread that ended meanwhile
            continue
    return found
