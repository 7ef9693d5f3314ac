#!/usr/bin/env python3
"""Whether the pages that are made by the command are what it makes now.

    documents.py ROOT PROGRAM...            compares
    documents.py --update ROOT PROGRAM...   writes
"""

import pathlib
import subprocess
import sys

# The page, the line after which it is made, and the option that makes it.
PAGES = [
    ("docs/scene-format.md", "## Reference\n\n", "--scene-format"),
    ("docs/materials.md", "## Presets\n\n", "--materials"),
    ("docs/scene.schema.json", "", "--schema"),
]


def main(update, root, program):
    failed = 0
    for name, marker, option in PAGES:
        path = pathlib.Path(root, name)
        made = subprocess.run(
            [*program, "info", option], capture_output=True, text=True, check=True
        ).stdout
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        head = old[: old.index(marker) + len(marker)] if marker else ""
        if old == head + made:
            continue
        if update:
            path.write_text(head + made, encoding="utf-8")
        else:
            print(f"{name} is not what `sinew info {option}` prints; documents.py --update")
            failed = 1
    return failed


if __name__ == "__main__":
    arguments = sys.argv[1:]
    updating = arguments[0] == "--update"
    arguments = arguments[updating:]
    sys.exit(main(updating, arguments[0], arguments[1:]))
