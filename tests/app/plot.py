#!/usr/bin/env python3
"""sinew plot as a person uses it: the file is well-formed, and says what the table says.

    plot.py SCRATCH PROGRAM [ARGUMENT]...
"""

import math
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as tree

SCRATCH, PROGRAM = sys.argv[1], sys.argv[2:]
SVG = "{http://www.w3.org/2000/svg}"


def sinew(*arguments, status=0):
    done = subprocess.run([*PROGRAM, *arguments], cwd=SCRATCH, capture_output=True, text=True)
    told = f"sinew {' '.join(arguments)} ended with {done.returncode}:\n{done.stdout}{done.stderr}"
    assert done.returncode == status, told
    return done.stdout + done.stderr


def write(name, text):
    with open(os.path.join(SCRATCH, name), "w", encoding="utf-8") as file:
        file.write(text)


def plot(*arguments):
    """The texts of a plot of the table, and its root."""
    sinew("plot", "stats.csv", "-o", "plot.svg", *arguments)
    root = tree.parse(os.path.join(SCRATCH, "plot.svg")).getroot()
    return ["".join(text.itertext()) for text in root.iter(SVG + "text")], root


HEAD = ("frame,time [s],kinetic energy [J],potential energy [J],momentum x [kg m/s],"
        "momentum y [kg m/s],angular momentum x [kg m^2/s],mean strain [1],nodes,broken,"
        "step [ms],prepare [ms],project [ms]")


def table(rows=100, spike=0.0):
    lines = [HEAD]
    for i in range(rows):
        t = i / 30
        ms = spike if i == 50 else 1.0
        cells = [i, t, math.sin(t) ** 2, 4 - math.sin(t) ** 2, math.cos(t), -t, 1e-6 * t,
                 0.02 * t, 400, i // 50, ms + 0.3, 0.2, ms]
        lines.append(",".join(str(cell) for cell in cells))
    write("stats.csv", "\n".join(lines) + "\n")


def test_all_columns():
    table()
    texts, root = plot("--title", 'A "flag" & <rope>')
    assert 'A "flag" & <rope>' in texts
    for panel in ("energy [J]", "momentum [kg m/s]", "strain [1]", "time [ms]", "time [s]"):
        assert panel in texts or panel.replace("strain", "mean strain") in texts, (panel, texts)
    # Small numbers are said with their power, and powers are raised.
    assert any(re.fullmatch(r"angular momentum x \[10⁻⁶ kg m²/s\]", text) for text in texts), texts
    for name in ("kinetic", "potential", "x", "y", "step", "prepare", "project"):
        assert name in texts, (name, texts)
    # A count that changes is shown, and one that does not is left out.
    assert "broken" in texts and "nodes" not in texts and "frame" not in texts
    areas = [path for path in root.iter(SVG + "path") if path.get("class") == "area"]
    assert len(areas) == 2
    # Everything lies in the picture.
    width, height = float(root.get("width")), float(root.get("height"))
    for path in root.iter(SVG + "path"):
        if path.get("class") in ("line", "area"):
            numbers = [float(n) for n in re.findall(r"-?\d+\.?\d*", path.get("d"))]
            assert all(0 <= x <= width for x in numbers[0::2])
            assert all(0 <= y <= height for y in numbers[1::2])


def test_ticks_are_round():
    texts, _ = plot("--columns", "kinetic energy")
    numbers = [float(text.replace("−", "-")) for text in texts if re.fullmatch(r"−?[\d.]+", text)]
    assert len(numbers) >= 6
    up = [n for n in numbers if n <= 1]
    assert {0.0, 0.5, 1.0} <= set(up) or {0.0, 0.2, 0.4} <= set(up), numbers


def test_chosen_columns():
    texts, _ = plot("--columns", "momentum,step")
    assert "momentum [kg m/s]" in texts and "step [ms]" in texts and "energy [J]" not in texts
    said = sinew("plot", "stats.csv", "-o", "plot.svg", "--columns", "kinetic enrgy", status=2)
    assert 'no column "kinetic enrgy", did you mean "kinetic energy"?' in said


def test_a_spike_does_not_hide_the_rest():
    table(spike=500.0)
    texts, _ = plot()
    assert any(text.startswith("time [ms], at most 500") for text in texts), texts


def test_failures():
    write("bad.csv", "time [s],a\n0,1\n1,x\n")
    assert 'bad.csv:3:3: "x" is not a number' in sinew("plot", "bad.csv", "-o", "x.svg", status=1)
    assert not os.path.exists(os.path.join(SCRATCH, "x.svg"))
    assert "expected \"-o FILE.svg\"" in sinew("plot", "stats.csv", status=2)
    assert "cannot read" in sinew("plot", "gone.csv", "-o", "x.svg", status=1)
    write("back.csv", "time [s],a\n1,1\n0,1\n")
    assert "back.csv: row 1: time is 0" in sinew("plot", "back.csv", "-o", "x.svg", status=1)


def main():
    shutil.rmtree(SCRATCH, ignore_errors=True)
    os.makedirs(SCRATCH)
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            test()
            print(f"ok    {name}")


main()
