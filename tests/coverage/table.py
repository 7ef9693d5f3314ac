#!/usr/bin/env python3
"""Lines and branches of src/ that the tests have run, as a table per folder.

    table.py BUILD_FOLDER UNCOVERED.txt

Reads what a build with --coverage has counted, by gcov. The second file receives the lines that
nothing runs, as file:from-to.
"""

import json
import os
import subprocess
import sys


def counted(build):
    """Everything gcov knows, one object file at a time; also of those that no test has linked."""
    for where, _, files in os.walk(build):
        names = [os.path.join(where, name) for name in sorted(files) if name.endswith(".gcno")]
        for name in names:
            command = ["gcov", "--json-format", "--stdout", "--branch-probabilities", name]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            yield json.loads(done.stdout)


def merge(lines, line):
    """Adds a line of an object to what is known of it. Files are compiled once per SIMD width and
    precision, and a macro may stand for several lines of code: counts add up, and branches do where
    there are as many of them; otherwise those of the pass that has most are taken."""
    branches = [branch["count"] for branch in line["branches"] if not branch["throw"]]
    known = lines.setdefault(line["line_number"], {"count": 0, "branches": []})
    known["count"] += line["count"]
    if len(branches) == len(known["branches"]):
        known["branches"] = [a + b for a, b in zip(known["branches"], branches)]
    elif len(branches) > len(known["branches"]):
        known["branches"] = branches


def read(build, root):
    """By file below src/ and by line: how often it was run, and each of its branches."""
    files = {}
    for data in counted(build):
        for entry in data["files"]:
            path = os.path.join(data["current_working_directory"], entry["file"])
            path = os.path.relpath(os.path.realpath(path), root)
            if path.startswith("src/"):
                lines = files.setdefault(path, {})
                for line in entry["lines"]:
                    merge(lines, line)
    return files


class Count:
    """Of a folder: lines and branches, all and those that were run."""

    def __init__(self):
        self.lines = self.lines_run = self.branches = self.branches_run = 0

    def add(self, line):
        self.lines += 1
        self.lines_run += line["count"] > 0
        self.branches += len(line["branches"])
        self.branches_run += sum(count > 0 for count in line["branches"])

    def row(self, name):
        def part(run, all):
            return f"{run:6d} of {all:6d}  {100 * run / all if all else 100:5.1f} %"

        lines = part(self.lines_run, self.lines)
        return f"{name:16s} {lines}   {part(self.branches_run, self.branches)}"


def ranges(numbers):
    """[1, 2, 3, 7] as 1-3 and 7."""
    text, start = [], None
    for i, number in enumerate(numbers):
        start = number if start is None else start
        if i + 1 == len(numbers) or numbers[i + 1] != number + 1:
            text.append(str(start) if start == number else f"{start}-{number}")
            start = None
    return text


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    files = read(sys.argv[1], os.path.realpath("."))
    folders, total, uncovered = {}, Count(), []
    for path, lines in sorted(files.items()):
        for line in lines.values():
            folders.setdefault(os.path.dirname(path), Count()).add(line)
            total.add(line)
        missed = sorted(number for number, line in lines.items() if line["count"] == 0)
        uncovered += [f"{path}:{part}" for part in ranges(missed)]
    print(f"{'folder':16s} {'lines':>16s} {'':7s}   {'branches':>16s}")
    for name, count in sorted(folders.items()):
        print(count.row(name))
    print(total.row("all"))
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("".join(f"{line}\n" for line in uncovered))
    return 0


if __name__ == "__main__":
    sys.exit(main())
