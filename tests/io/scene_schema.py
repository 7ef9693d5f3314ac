#!/usr/bin/env python3
"""The JSON schema of scenes against an independent program: it is a schema, all scenes of the
project follow it, and most of those in broken/scenes.txt do not.

usage: scene_schema.py ROOT
       ROOT is the folder of the project.
"""

import json
import os
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is missing")
    sys.exit(77)

# The part of them in which only the values are wrong: names that nothing has, and what the library
# knows alone.
UNSEEN = 0.55


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def broken_scenes(text):
    """The scenes of the table that are JSON, by name."""
    scenes = {}
    for entry in text.split("\n# ")[1:]:
        name, _, rest = entry.partition("\n")
        lines = [line for line in rest.split("\n") if not line.startswith("> ")]
        try:
            scenes[name] = json.loads("\n".join(lines))
        except json.JSONDecodeError:
            continue
    return scenes


def main():
    (root,) = sys.argv[1:]
    schema = json.loads(read(os.path.join(root, "docs/scene.schema.json")))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    failed = []
    folder = os.path.join(root, "scenes")
    names = [name for name in sorted(os.listdir(folder)) if name.endswith(".json")]
    # The program is slow; the command reads all of them.
    if "SINEW_TEST_LONG" not in os.environ:
        names = names[::4]
    for name in names:
        for error in validator.iter_errors(json.loads(read(os.path.join(folder, name)))):
            failed.append(f"scenes/{name}: {error.json_path}: {error.message[:200]}")
    broken = broken_scenes(read(os.path.join(root, "tests/io/broken/scenes.txt")))
    passed = [name for name, scene in broken.items() if validator.is_valid(scene)]
    if len(broken) < 50 or len(passed) > UNSEEN * len(broken):
        failed.append(f"{len(passed)} of {len(broken)} broken scenes follow it: {passed}")
    for line in failed:
        print(line)
    print(f"{len(names)} scenes follow the schema, {len(broken) - len(passed)} of {len(broken)} "
          f"broken ones do not: {'FAIL' if failed or not names else 'ok'}")
    return 1 if failed or not names else 0


sys.exit(main())
