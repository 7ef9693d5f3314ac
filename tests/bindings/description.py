#!/usr/bin/env python3
"""Whether api.json is complete: what libraries export, and what the compiler sees of the headers.

    description.py ROOT CC API.json LIBRARY.so...
"""

import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../abi"))
import abi  # noqa: E402


def check_functions(api, libraries):
    """Every exported function is described, with a text, and nothing else is."""
    exported = set().union(*(abi.exported_symbols(library) for library in libraries))
    described = {function["name"] for function in api["functions"]}
    wrong = [f"{name} is exported, but not described" for name in sorted(exported - described)]
    wrong += [f"{name} is described, but not exported" for name in sorted(described - exported)]
    for kind in ("functions", "structs", "enums", "callbacks"):
        wrong += [f"{entry['name']} has no text" for entry in api[kind] if not entry["doc"]]
    return wrong


def check_layout(api, root, cc):
    """Structs have the members and enums the values that the compiler sees."""
    structs, enums = abi.declarations(abi.preprocessed(cc, os.path.join(root, "include")))
    described = {struct["name"]: struct for struct in api["structs"]}
    values = {value["name"]: value["value"] for enum in api["enums"] for value in enum["values"]}
    wrong = []
    for tag, members in structs:
        found = [field["name"] for field in described.get(tag, {"fields": []})["fields"]]
        if found != members:
            wrong.append(f"{tag} has {found}, expected {members}")
    lines = ["#include <sinew/sinew.h>"]
    for _, names in enums:
        for name in names:
            if name not in values:
                wrong.append(f"{name} is not described")
            else:
                lines.append(f'_Static_assert((int)({name}) == {values[name]}, "{name}");')
    command = [cc, "-std=c17", "-fsyntax-only", "-I", os.path.join(root, "include"), "-x", "c", "-"]
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True)
    return wrong + [line for line in done.stderr.split("\n") if "error" in line]


def check_fields(api):
    """Of definitions every field says what it is; of numbers also the unit."""
    wrong = []
    for struct in api["structs"]:
        for field in struct["fields"]:
            if "least" in field and not field["doc"]:
                wrong.append(f"{struct['name']}.{field['name']} has no text")
            if "least" in field and field["type"] in ("sn_real", "sn_vec3") and not field["unit"]:
                wrong.append(f"{struct['name']}.{field['name']} has no unit")
    if not any(field.get("default") == [0, -9.81, 0] for struct in api["structs"]
               for field in struct["fields"]):
        wrong.append("the default of gravity is missing")
    return wrong


def self_test(api, root, cc, libraries):
    """That each check can fail."""
    changed = json.loads(json.dumps(api))
    lost = changed["functions"].pop()
    changed["structs"][5]["fields"].pop()
    next(enum for enum in changed["enums"] if enum["name"] == "sn_solver")["values"][0]["value"] = 7
    found = "\n".join(check_functions(changed, libraries) + check_layout(changed, root, cc))
    expected = [f"{lost['name']} is exported", changed["structs"][5]["name"], "SN_SOLVER_COLOURED"]
    return [f"no check finds {name}" for name in expected if name not in found]


def main(root, cc, path, *libraries):
    with open(path, encoding="utf-8") as file:
        api = json.load(file)
    wrong = check_functions(api, libraries) + check_layout(api, root, cc) + check_fields(api)
    wrong += self_test(api, root, cc, libraries)
    for line in wrong:
        print(line)
    print(f"{len(api['functions'])} functions, {len(api['structs'])} structs, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
