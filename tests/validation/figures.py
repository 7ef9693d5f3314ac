#!/usr/bin/env python3
"""The table of docs/validation.md: cases with known answers, and what the library gives.

    figures.py [--update] ROOT TESTS [V01 ...]

TESTS is the folder of the test programs, build/release/tests, of a build with
-DSINEW_LONG_TESTS=ON: others lack some of them in double. Every test whose comment names a
case is run, in float and in double, and of all numbers that it compares the one is listed that is
nearest to its bound. Without --update, says which rows of the page are not what the tests say; with
names of cases, looks at those alone and leaves other rows as they are. The same bits everywhere
mean the same table everywhere.
"""

import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

# The cases by their names, in groups.
CASES = {
    "Motion and single springs": {
        "V01": "Free fall",
        "V02": "Free fall far from the origin",
        "V03": "A throw, for every mass",
        "V04": "A spring that swings",
        "V05": "A spring with a damper",
        "V06": "The sag of a spring, and its force",
        "V07": "Two bodies on a spring",
        "V17": "The period of a pendulum",
        "V18": "The energy of a pendulum",
    },
    "Chains, strings, what one sweep leaves": {
        "V08": "A hard chain: what one sweep leaves",
        "V09": "A chain that gives",
        "V10": "A chain with a heavy tip",
        "V11": "Substeps and iterations",
        "V12": "A sheet, whatever the substep",
        "V21": "The catenary",
        "V22": "A string that sounds",
    },
    "Momentum and rotation": {
        "V14": "A spinning dumbbell",
        "V15": "Momentum of a soft body",
        "V41": "Free spin",
        "V42": "A body that turns over",
        "V55": "A spinning top",
        "V58": "Contacts without a couple",
    },
    "Rods": {
        "V24": "A cantilever with a load at its tip",
        "V25": "A cantilever under its own weight",
        "V27": "Torsion, and the helix",
        "V28": "Instabilities of rods",
        "V29": "Vibration of rods",
        "V57": "Rope on a capstan",
        "V61": "Tones",
    },
    "Solids and surfaces": {
        "V30": "A bar of each material",
        "V32": "Rest stays rest",
        "V33": "The patch test",
        "V34": "A bar under its own weight",
        "V35": "A beam of tets",
        "V36": "What was turned inside out",
        "V37": "Volume, and the pressure of balloons",
        "V38": "The rotation in a matrix",
        "V39": "The energy of bending",
        "V40": "Membranes, tears, tethers",
        "V53": "Rest does not depend on damping",
        "V56": "Plates on any mesh",
        "V59": "Solids that do not lock",
    },
    "Contact and bodies": {
        "V19": "A rod that swings",
        "V44": "The incline",
        "V46": "Restitution",
        "V47": "Stacks",
        "V48": "Joints",
        "V49": "Nothing passes, and heaps",
        "V54": "Impacts with BDF2",
        "V60": "Bodies of textbooks",
    },
    "Fluids": {
        "V50": "Kernels and lattices",
        "V51": "Water at rest",
        "V52": "Drops, and a dam that breaks",
    },
}
NAMES = {case: name for group in CASES.values() for case, name in group.items()}
COMPARED = re.compile(
    r"^    (?P<place>[^ ]+:\d+): (?:\[(?P<variant>.*?)\] )?(?P<what>.+) is (?P<value>\S+), "
    r"expected (?P<expected>\S+) \+- (?P<bound>[^ ]+)(?P<share> %)? \(off by"
)


def cases_in(text):
    """Also "V04 to V07"."""
    found = set(re.findall(r"\bV\d\d\b", text))
    for a, b in re.findall(r"\bV(\d\d) to V(\d\d)\b", text):
        found |= {f"V{n:02}" for n in range(int(a), int(b) + 1)}
    return found & set(NAMES)


def tests_of(path):
    """The tests of a source with the cases that their comment, their section or, if nothing else
    in the file names one, its head names."""
    text = path.read_text(encoding="utf-8")
    head = cases_in(text[: text.find("*/")])
    pieces = re.findall(r"/\*.*?\*/|^TEST\((?:\w+)\)|^}", text, flags=re.S | re.M)
    section, last, found = set(), set(), {}
    for piece in pieces:
        if piece.startswith("/* ----"):
            section, last = cases_in(piece), set()
        elif piece.startswith("/*"):
            last = cases_in(piece)
        elif piece == "}":
            last = set()
        else:
            found[piece[5:-1]] = last | section
    if not any(found.values()):
        found = {name: head for name in found} if len(head) == 1 else found
    return {name: cases for name, cases in found.items() if cases}


def program_of(root, path):
    parts = path.relative_to(root / "tests").with_suffix("").parts
    return "_".join(parts[-2:])


class Compared:
    """A number that a test compares with another."""

    def __init__(self, match):
        self.value, self.expected = float(match["value"]), float(match["expected"])
        self.allowed = match["bound"] + (match["share"] or "")
        bound = float(match["bound"]) * (abs(self.expected) / 100 if match["share"] else 1)
        self.used = abs(self.value - self.expected) / bound if bound > 0 else 0.0
        self.what = match["what"] + (f" [{match['variant']}]" if match["variant"] else "")
        self.place = match["place"]


def compared(program, test):
    """All that a test compares, by what it is and how often that was compared before."""
    if not program.exists():
        return {}
    said = subprocess.run([program, "--show", test], capture_output=True, text=True).stdout
    found, within, times = {}, {}, Counter()
    for line in said.splitlines():
        match = COMPARED.match(line)
        if match:
            one = Compared(match)
            key = (one.place, one.what)
            within[key, times[key]] = one
            times[key] += 1
        elif re.match(r"(ok  |FAIL)  ", line):
            # Others may have a name that contains this one.
            if line.split()[1] == test:
                found = within
            within, times = {}, Counter()
    return found


def rows(root, tests, wanted):
    """By their cases: program, test, what is compared, expected, and value and bound in both
    precisions."""
    found = defaultdict(list)
    for path in sorted((root / "tests").rglob("*.c")):
        for test, cases in tests_of(path).items():
            case = min(cases)
            if wanted and case not in wanted:
                continue
            name = program_of(root, path)
            single, double = compared(tests / name, test), compared(tests / f"{name}_f64", test)
            of = {key: one for key, one in (double or single).items() if one.expected != 0}
            if not of:
                continue
            key = max(of, key=lambda k: of[k].used)
            cells = []
            for all_of in (single, double):
                one = all_of.get(key)
                cells += [short(one.value), one.allowed] if one else ["", ""]
            found[case].append(
                (name, test, of[key].what.replace("|", "\\|"), short(of[key].expected), *cells)
            )
    return found


def short(number):
    return f"{number:.6g}"


def lines_of(case, found):
    return [
        f"| {case} {NAMES[case]} | `{name} {test}` | `{what}` | " + " | ".join(numbers) + " |"
        for name, test, what, *numbers in found[case]
    ]


def page_with(text, found):
    """The page with other rows of these cases, each of which has had one."""
    lines = text.splitlines()
    for case in found:
        old = [i for i, line in enumerate(lines) if line.startswith(f"| {case} ")]
        if not old:
            sys.exit(f"docs/validation.md has no row of {case}: --update without names of cases")
        lines[old[0] : old[-1] + 1] = lines_of(case, found)
    return "\n".join(lines) + "\n"


def page(found):
    out = []
    for group, cases in CASES.items():
        here = [case for case in cases if case in found]
        if not here:
            continue
        out += [
            f"## {group}",
            "",
            "| case | test | compared | expected | float | allowed | double | allowed |",
            "|---|---|---|---:|---:|---:|---:|---:|",
        ]
        for case in here:
            out += lines_of(case, found)
        out.append("")
    missing = sorted(set(NAMES) - set(found))
    out += [
        "## Without a row",
        "",
        "Cases whose tests compare no number with one that is not 0, or that have none yet: "
        + ", ".join(f"{case} ({NAMES[case][0].lower() + NAMES[case][1:]})" for case in missing)
        + ".",
    ]
    return "\n".join(out) + "\n"


def main():
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    root, tests, wanted = Path(arguments[0]), Path(arguments[1]), set(arguments[2:])
    found = rows(root, tests, wanted)
    path = root / "docs/validation.md"
    text = path.read_text(encoding="utf-8")
    if "--update" in sys.argv:
        head = text.split("\n## ", 1)[0].rstrip("\n")
        anew = page_with(text, found) if wanted else f"{head}\n\n{page(found)}"
        path.write_text(anew, encoding="utf-8")
        return 0
    kept = set(text.splitlines())
    stale = [
        line
        for line in page(found).splitlines()
        if re.match(r"\| V\d\d", line) and line not in kept
    ]
    for line in stale:
        print(f"docs/validation.md does not have: {line}")
    print(f"{sum(map(len, found.values())) - len(stale)} passed, {len(stale)} failed")
    return 1 if stale or not found else 0


if __name__ == "__main__":
    sys.exit(main())
