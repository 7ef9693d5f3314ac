#!/usr/bin/env python3
"""Whether what the pages of docs/methods and docs/joints name is there.

    methods.py ROOT [CTEST BUILD]

Pages and pictures: every page is in the index, every picture of a page exists, is small and is made
by the command on the page, and no picture is left over. Parameters: fields, units and defaults are
those of docs/scene-format.md, which is compared with the library. Tests: every test that is named
stands in tests/ and, where a build is given, every program is known to ctest. Types: every type of
the list is on a page, and its file names its paper. Joints: every one has a page, with the scene of
its picture and C, and no sentence is on two of them.
"""

import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1]).resolve()
PAGES = ROOT / "docs/methods"
PICTURES = ROOT / "docs/images/methods"
JOINTS = ROOT / "docs/joints"
MOST_BYTES = 40 * 1024
HEADINGS = ["## The paper", "## Ours", "## What differs, and why", "## Parameters", "## Validation"]
wrong = []


def expect(condition, page, message):
    if not condition:
        wrong.append(f"{page}: {message}")


def read(path):
    return pathlib.Path(path).read_text(encoding="utf-8")


def rows_of(text, header):
    """The rows of all tables with this header, as lists of cells."""
    rows = []
    inside = False
    for line in text.split("\n"):
        if line.startswith("| " + header):
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and not line.startswith("|---"):
            rows.append(cells_of(line))
    return rows


def cells_of(line):
    return [cell.strip() for cell in line.split("|")[1:]]


def words_of(cell):
    return re.findall(r"`([^`]+)`", cell)


# ---- Pages and pictures ----


def check_links(page, text, folder=PAGES):
    for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", text):
        there = target.startswith("http") or (folder / target).resolve().exists()
        expect(there, page, f"links to {target}, which is not there")


def check_sources(page, text):
    """Whoever reads a page beside the code wants to know where that is."""
    lines = re.findall(r"^Source: (.*)$", text, re.M)
    expect(len(lines) == 1 and words_of(lines[0]), page, "has no line that says \"Source: ...\"")
    for name in words_of("".join(lines)):
        expect((ROOT / name).exists(), page, f"names the source {name}, which is not there")


def check_picture(page, text, folder=PAGES):
    """The scene of a picture is one of the tree, or is on the page."""
    name = f"docs/images/{'joints' if folder == JOINTS else 'methods'}/{page[:-3]}.png"
    commands = re.findall(r"^    \./dev sinew render (\S+\.json) (.*)$", text, re.M)
    expect(f"]({name.replace('docs', '..')})" in text, page, f"does not show {name}")
    expect(len(commands) == 1, page, "has no command for its picture, or several")
    for scene, arguments in commands:
        there = (ROOT / scene).exists() if folder == PAGES else f"\n```json {scene}\n" in text
        expect(there, page, f"draws {scene}")
        expect(arguments.endswith(f"-o {name}"), page, f"does not draw {name}")
    picture = ROOT / name
    expect(picture.exists(), page, f"{name} is not there; ./dev pictures makes it")
    if picture.exists():
        size = picture.stat().st_size
        expect(size < MOST_BYTES, page, f"{name} has {size} bytes, expected below {MOST_BYTES}")


def check_index(pages):
    index = read(PAGES / "README.md")
    linked = set(re.findall(r"\]\(([\w-]+\.md)\)", index))
    for page in pages:
        expect(page in linked, "README.md", f"does not link {page}")
    check_links("README.md", index)
    expect("(docs/methods/README.md)" in read(ROOT / "README.md"), "README.md of the project",
           "does not link docs/methods/README.md")
    named = {f"{page[:-3]}.png" for page in pages}
    for picture in sorted(PICTURES.iterdir()):
        expect(picture.name in named, "docs/images/methods", f"{picture.name} is on no page")


# ---- Parameters ----


def known_fields():
    """Unit and default of every key of scene files, by (section, key)."""
    fields = {}
    section = ""
    for line in read(ROOT / "docs/scene-format.md").split("\n"):
        heading = re.match(r'### ([\w ]+)|\*\*`"(?:kind|type|shape)": "(\w+)"`\*\*', line)
        if heading:
            section = heading.group(1) or heading.group(2)
        if line.startswith("| `"):
            cells = cells_of(line)
            key = words_of(cells[0])[0]
            fields.setdefault((section, key), set()).add((cells[2], cells[3].strip("`")))
    return fields


def check_parameters(page, text, fields):
    for row in rows_of(text, "of | field | unit | default"):
        owner, key = words_of(row[0])[0], words_of(row[1])[0]
        found = (row[2], row[3].strip("`"))
        known = fields.get((owner, key))
        if not known:
            wrong.append(f"{page}: {owner} has no field {key}")
        else:
            expect(found in known, page, f"{owner}.{key} is {found}, expected one of {known}")


# ---- Tests ----


def known_tests():
    """Names of all TEST(...) below tests/."""
    names = set()
    for path in (ROOT / "tests").rglob("*.c"):
        names.update(re.findall(r"^TEST\((\w+)\)", read(path), re.M))
    return names


def known_programs(ctest, build):
    listed = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"],
                            capture_output=True, text=True, check=True).stdout
    return {test["name"] for test in json.loads(listed)["tests"]}


def check_tests(page, text, tests, programs):
    rows = rows_of(text, "ctest | tests | held against")
    expect(rows, page, "names no test")
    for row in rows:
        for program in words_of(row[0]):
            expect(programs is None or program in programs, page, f"ctest has no {program}")
        for test in words_of(row[1]):
            expect(test in tests, page, f"there is no test {test}")


# ---- Types ----


def check_types(pages):
    text = read(ROOT / "include/sinew/constraints/list.h")
    types = re.findall(r"#include <sinew/constraints/(\w+)\.h>", text)
    all_pages = "\n".join(pages.values())
    for name in types:
        expect(f"`{name}`" in all_pages, "docs/methods", f"no page has the type {name}")
        opening = read(ROOT / f"src/constraints/{name}.c").split("*/")[0]
        expect(re.search(r"\b(19|20)\d\d\b", opening), name, "its file names no paper")


# ---- Joints ----


def check_joints(fields, tests, programs):
    said = {}
    pages = {path.name: read(path) for path in sorted(JOINTS.glob("*.md"))}
    index = read(ROOT / "docs/joints.md")
    for page, text in pages.items():
        expect(f"(joints/{page})" in index, "docs/joints.md", f"does not link {page}")
        expect("\n```c\n" in text, page, "shows no C")
        check_links(page, text, JOINTS)
        check_picture(page, text, JOINTS)
        check_parameters(page, text, fields)
        check_tests(page, text, tests, programs)
        prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
        lines = [line for line in prose.split("\n") if re.match(r"[\w`]", line)]
        for sentence in re.split(r"(?<=[.:;]) ", " ".join(lines)):
            expect(said.setdefault(sentence, page) == page, page,
                   f"says as {said[sentence]} does: {sentence}")
    types = re.findall(r"constraints/(\w+_joint|pulley)\.h",
                       read(ROOT / "include/sinew/constraints/list.h"))
    for name in types:
        expect(any(f"| `{name}` |" in text for text in pages.values()), "docs/joints",
               f"no page has the type {name}")
    return len(pages)


def main():
    pages = {path.name: read(path) for path in sorted(PAGES.glob("*.md"))
             if path.name != "README.md"}
    fields, tests = known_fields(), known_tests()
    programs = known_programs(*sys.argv[2:4]) if len(sys.argv) > 3 else None
    for page, text in pages.items():
        at = [text.find(heading) for heading in HEADINGS]
        expect(-1 not in at and at == sorted(at), page, f"expected {', '.join(HEADINGS)}")
        check_links(page, text)
        check_sources(page, text)
        check_picture(page, text)
        check_parameters(page, text, fields)
        check_tests(page, text, tests, programs)
    check_index(pages)
    check_types(pages)
    joints = check_joints(fields, tests, programs)
    print("\n".join(wrong) or f"{len(pages)} pages of methods, {joints} of joints")
    return 1 if wrong else 0


sys.exit(main())
