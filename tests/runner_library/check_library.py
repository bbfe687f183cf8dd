"""Checks the runner library's file: exports, needed libraries, glibc version, no start code, no thread-locals."""
import re
import subprocess
import sys


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main(library, header):
    problems = []
    with open(header, encoding="utf-8") as file:
        declared = set(re.findall(r"\b(dlb_\w+)\(", file.read()))
    symbols = output("nm", "-D", "--defined-only", library).splitlines()
    exported = {line.split()[2].split("@")[0] for line in symbols if line.split()[1] in "TDBRVW"}
    if exported != declared:
        problems.append(f"exports differ from the header: {sorted(exported ^ declared)}")

    dynamic = output("readelf", "--wide", "-d", library)
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
    if needed != ["libc.so.6"]:
        problems.append(f"needs {needed}")
    for tag in ("INIT_ARRAY", "FINI_ARRAY", "(INIT)", "(FINI)", "TEXTREL", "RUNPATH", "RPATH"):
        if tag in dynamic:
            problems.append(f"has {tag}")

    versions = output("nm", "-D", "--undefined-only", library)
    found = [tuple(map(int, v.split("."))) for v in re.findall(r"@GLIBC_([0-9.]+)", versions)]
    if not found or max(found) > (2, 34):
        problems.append(f"highest glibc symbol version is {max(found, default=None)}")
    for forbidden in ("abort", "exit", "_exit", "pthread_create", "signal", "sigaction", "system", "__tls_get_addr"):
        if re.search(rf"\bU {forbidden}(@|$)", versions, re.MULTILINE):
            problems.append(f"calls {forbidden}")
    if re.search(r"^\s*TLS\s", output("readelf", "--wide", "-l", library), re.MULTILINE):
        problems.append("has thread-local storage")

    for problem in problems:
        print(f"{library}: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
