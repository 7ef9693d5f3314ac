#!/usr/bin/env python3
"""Pieces of scenes and programs that pages show are what they say.

    snippets.py ROOT CC PAGE...

JSON between ``` marks or indented is a part of a scene: it must follow what the schema says of some
object, but for what such an object needs beside it. C of a page, one piece after the other, must
compile as the body of a function that has a world and the ids below. Exits with 77 where jsonschema
is missing.
"""

import json
import pathlib
import re
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is missing")
    sys.exit(77)

ROOT, CC = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
HEAD = """#include <sinew/sinew.h>
#include <sinew_io/robot.h>
#include <stdio.h>
void page(sn_world *world, sn_node wall, sn_node leaf, sn_node beam, sn_node wheel, sn_body body);
void page(sn_world *world, sn_node wall, sn_node leaf, sn_node beam, sn_node wheel, sn_body body) {
"""


def loosened(schema):
    """The same without what is required."""
    if isinstance(schema, dict):
        return {key: loosened(value) for key, value in schema.items() if key != "required"}
    return [loosened(value) for value in schema] if isinstance(schema, list) else schema


def objects_of(schema):
    """The scene itself, and every object of it."""
    yield schema
    for name in schema["$defs"]:
        yield {"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]}


def wrong_json(text, schema):
    """What is wrong with a piece of a scene; None where nothing is."""
    try:
        piece = json.loads(text if text.lstrip().startswith("{") else "{" + text + "}")
    except json.JSONDecodeError as error:
        return str(error)
    found = [next(jsonschema.Draft202012Validator(one).iter_errors(piece), None)
             for one in objects_of(schema)]
    return None if None in found else found[0].message[:200]


def wrong_c(pieces):
    done = subprocess.run(
        [CC, "-x", "c", "-std=c17", "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused",
         "-Wno-unknown-warning-option", "-Wno-error=maybe-uninitialized",
         "-I", str(ROOT / "include"), "-"],
        input=HEAD + "\n".join(pieces) + "}\n", capture_output=True, text=True)
    return done.stderr if done.returncode else None


def check(page, schema):
    text = (ROOT / page).read_text(encoding="utf-8")
    pieces = {language: re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)
              for language in ("json", "c")}
    # And what is indented, and begins as a part of a scene does.
    outside = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    blocks = re.findall(r"(?:^    .*\n)+", outside, re.M)
    pieces["json"] += [block for block in blocks if block.lstrip().startswith(('"', "{"))]
    wrong = [f"{page}: {said}\n{piece}" for piece in pieces["json"]
             if (said := wrong_json(piece, schema))]
    if pieces["c"] and (said := wrong_c(pieces["c"])):
        wrong.append(f"{page}: {said}")
    print(f"{page}: {len(pieces['json'])} pieces of scenes, {len(pieces['c'])} of programs")
    return wrong


def main():
    schema = loosened(json.loads((ROOT / "docs/scene.schema.json").read_text(encoding="utf-8")))
    # What looks for mistakes sees some.
    assert wrong_json('"effectors": [{"kind": "vortx"}]', schema)
    assert wrong_json('"efectors": []', schema) and wrong_json('"bodies": [', schema)
    assert not wrong_json('"effectors": [{"kind": "vortex"}]', schema)
    assert wrong_c(["sn_world_stepp(world, 1);"]) and not wrong_c(["sn_world_step(world, 1);"])
    wrong = [said for page in sys.argv[3:] for said in check(page, schema)]
    print("\n".join(wrong))
    return 1 if wrong else 0


sys.exit(main())
