"""Prints files of the tree, one a line: `list_files.py cxx|scripts|all [root]`."""

import os
import sys

import source_tree

KINDS = {"cxx": source_tree.cxx_files, "scripts": source_tree.shell_scripts, "all": source_tree.files}

if __name__ == "__main__":
    ROOT = sys.argv[2] if len(sys.argv) > 2 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for path in KINDS[sys.argv[1]](ROOT):
        print(path)
