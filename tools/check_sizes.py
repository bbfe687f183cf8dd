"""Checks that no file grows beyond what one reader can hold: `check_sizes.py [root]`.

More than 600 lines is an error, more than 400 a warning. Function lengths are clang-tidy's business.
"""

import os
import sys

import source_tree

CODE_ENDINGS = source_tree.CXX_ENDINGS + (".py", ".lua", ".cmake", ".js", ".css", ".sh", "CMakeLists.txt")
ERROR_LINES = 600
WARNING_LINES = 400


def measure(root):
    """[(lines, path)] of all code files, longest first."""
    scripts = set(source_tree.shell_scripts(root))
    sizes = []
    for path in source_tree.files(root):
        if path.endswith(CODE_ENDINGS) or path in scripts:
            content = source_tree.text(root, path)
            if content is not None:
                sizes.append((len(content.splitlines()), path))
    return sorted(sizes, reverse=True)


def main(root):
    failed = False
    for lines, path in measure(root):
        if lines > ERROR_LINES:
            failed = True
            print(f"{path}: {lines} lines, more than {ERROR_LINES}: split it")
        elif lines > WARNING_LINES:
            print(f"{path}: {lines} lines, more than {WARNING_LINES} (warning)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
