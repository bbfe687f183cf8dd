"""Takes a framework whose weights race through the gate: DLBENCH NAME@VERSION THREADS.

A race is chance. Every proof must end as a MISMATCH, of both networks that every framework is proved on; now and then it
hits so few weights in so few steps that no simulated race explains it, so one proof of LeNet in a few must name it.
"""

import re
import subprocess
import sys

TRIES = 6


def prove(dlbench, framework, *arguments):
    command = [dlbench, "verify", framework, "--fresh"] + list(arguments)
    said = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                          check=False).stdout
    print(said, flush=True)
    if "MISMATCH" not in said:
        sys.exit("%s passed, or was not proved: %s" % (framework, " ".join(arguments)))
    return said


def main():
    dlbench, framework, threads = sys.argv[1:]
    prove(dlbench, framework, "--threads", threads, "--networks", "--only", "inception_block")
    for _ in range(TRIES):
        if re.search("diagnosis: weight_race", prove(dlbench, framework, "--threads", "1")):
            return
    sys.exit("no race was named in %d tries" % TRIES)


if __name__ == "__main__":
    main()
