#!/usr/bin/env python3
"""Runs the Python of a page, from its first line to its last, in the root of the tree.

    pages.py PACKAGE ROOT PAGE.md...
"""

import os
import re
import sys
import tempfile

sys.dont_write_bytecode = True


def main(package, root, *pages):
    root = os.path.abspath(root)
    sys.path.insert(0, package)
    for page in pages:
        with open(os.path.join(root, page), encoding="utf-8") as file:
            text = file.read()
        blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S))
        if not blocks:
            print(f"{page} has no Python")
            return 1
        # Where files are written nothing of the tree is in the way.
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(os.path.join(root, "scenes"),
                       os.path.join(folder, "scenes"))
            os.chdir(folder)
            names = {}
            for block in blocks:
                line = text.count("\n", 0, block.start(1))
                exec(compile("\n" * line + block.group(1), page, "exec"), names)
            os.chdir("/")
        print(f"{page}: {len(blocks)} blocks")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
