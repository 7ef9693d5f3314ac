#!/usr/bin/env python3
"""Whether the C and JavaScript that pages show is in the tree.

    excerpts.py ROOT PAGE...

A block begins with ```c NAME or ```js NAME, where NAME is a file, or the end of its path; its text
is there word for word. "..." alone on a line stands for what was left out. Paths that the page
names exist, but those with NAME in them, which the reader fills in.
"""

import pathlib
import re
import sys

FOLDERS = ("app", "bench", "docs", "fuzz", "include", "io", "picture", "scenes", "src", "tests",
           "web")


def named(root, name):
    return [
        path
        for folder in FOLDERS
        for path in (root / folder).rglob(pathlib.PurePosixPath(name).name)
        if ("/" + path.as_posix()).endswith("/" + name)
    ]


def is_in(excerpt, text):
    """Whether the parts of an excerpt follow each other in the text."""
    place = 0
    for part in re.split(r"^ *\.\.\.\n", excerpt, flags=re.M):
        found = text.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    return True


def main(root, page):
    wrong = []
    text = (root / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```(?:c|js) *(\S*)\n(.*?)^```$", text, re.S | re.M)
    for name, excerpt in blocks:
        files = named(root, name) if name else []
        if not any(is_in(excerpt, path.read_text(encoding="utf-8")) for path in files):
            first = excerpt.split("\n", 1)[0]
            wrong.append(f'"{first}" is not in {name or "a file, for none is named"}')
    for name in re.findall(r"`([\w./]+/[\w.]+\.(?:c|h|inl|js|md|py|txt))`", text):
        if "NAME" not in name and not (root / name).exists():
            wrong.append(f"{name} does not exist")
    for sentence in wrong:
        print(f"{page}: {sentence}")
    if not blocks:
        print(f"{page} shows no code")
    return 1 if wrong or not blocks else 0


if __name__ == "__main__":
    sys.exit(max([main(pathlib.Path(sys.argv[1]), page) for page in sys.argv[2:]]))
