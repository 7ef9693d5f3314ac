"""The parts of the world: output and scratch are in no snapshot, and who uses what is listed."""

import re

from tree import code_files, functions, line_of, without_comments

WORLD = "src/state/world.h"
PARTS = ("output", "bindings", "scratch")

# Beside src/state, which owns them, and src/api: the folders that may use a member. Systems do not
# read what a step gave, and only the step knows who records, who feeds and how it solves.
USERS = {
    "output.frozen": ("step",),
    "output.freezes": ("step", "contact"),
    "output.freeze_capacity": ("step",),
    "output.broken": ("step", "fracture"),
    "output.breaks": ("step", "fracture", "contact"),
    "output.break_capacity": ("step",),
    "output.stats": ("step", "fracture", "contact"),
    "bindings.systems": ("step", "contact", "fracture"),
    "bindings.team": ("step", "contact", "systems", "collision"),
    "bindings.width": ("step", "contact", "systems"),
    "bindings.fewer_lanes": ("step", "api"),
    "bindings.lanes": ("step", "contact", "systems"),
    "bindings.wide": ("step",),
    "bindings.threads": ("step",),
    "bindings.backend": ("step", "backend"),
    "bindings.log": (),
    "bindings.log_user": (),
    "bindings.field": ("step",),
    "bindings.field_count": ("step",),
    "bindings.recorder": ("step",),
    "bindings.feeder": ("step", "systems"),
    "bindings.tap": ("step",),
    "bindings.feed": ("step",),
    "bindings.audit": ("step",),
    "scratch.locked": ("step", "bodies"),
    "scratch.masses_changed": ("step", "systems", "fracture"),
    "scratch.segments_changed": (),
    "scratch.settings_changed": ("step",),
    "scratch.constraints_changed": ("step", "fracture"),
    "scratch.segment": ("step", "systems"),
    "scratch.segments": ("step", "systems"),
    "scratch.segment_capacity": (),
    "scratch.acceleration": ("step", "systems"),
    "scratch.acceleration_capacity": ("step",),
    "scratch.fitted": ("step",),
    "scratch.fitted_capacity": ("step",),
    "scratch.before": ("step",),
    "scratch.before_capacity": ("step",),
    "scratch.gradient": ("step",),
    "scratch.gradient_capacity": ("step",),
    "scratch.settling": ("step",),
    "scratch.jacobi": ("step",),
    "scratch.phantoms": ("step",),
    "scratch.trees": ("step", "api"),
    "scratch.tracks": ("step", "contact"),
    "scratch.safe": ("step", "contact"),
}

USE = re.compile(r"(?:->|\.)\s*(output|bindings|scratch)\.(\w+)")


def members(text):
    """What the structs of the parts have, as part.member with its line."""
    code = without_comments(text)
    for part in PARTS:
        name = f"sn_world_{part}"
        struct = re.search(rf"typedef struct {name} {{(.*?)\n}} {name};", code, re.S)
        for match in re.finditer(r"[^;{]+;", struct.group(1) if struct else ""):
            declaration = match.group(0)
            pointer = re.search(r"\(\*(\w+)\)", declaration)
            names = re.findall(r"(\w+)\s*(?:\[\w+\])?\s*[,;]", declaration)
            if pointer:
                names = [pointer.group(1)]
            end = struct.start(1) + match.end()
            for name in names:
                yield f"{part}.{name}", line_of(code, end)


def rule_world_parts(tree):
    """A member of output, bindings or scratch is used where the list says; and a function that
    writes or reads an archive uses neither output nor scratch, but to say what is stale. (What is
    recorded is not state: src/api.)"""
    wrong = []
    for name, line in members(tree.get(WORLD, "")):
        if name not in USERS:
            wrong.append((WORLD, line, f"has {name}, of which no list says who may use it"))
    for path, text in code_files(tree):
        if not path.startswith("src/"):
            continue
        code, folder = without_comments(text), path.split("/")[1]
        spans = [(line, line + length) for _, line, length in functions(text)]
        lines = code.split("\n")
        for match in USE.finditer(code):
            part, name, line = *match.groups(), line_of(code, match.start())
            member = f"{part}.{name}"
            if member in USERS and folder not in ("state", "api", *USERS[member]):
                wrong.append((path, line, f"src/{folder} uses {member}, which it may not"))
            within = [span for span in spans if span[0] <= line < span[1]]
            body = "\n".join(lines[within[-1][0] - 1 : within[-1][1] - 1]) if within else ""
            archived = re.search(r"\bsn_archive_(?!view)\w+\(", body) and "sn_world" in body
            allowed = folder == "api" or part == "bindings" or name.endswith("_changed")
            if archived and not allowed:
                wrong.append((path, line, f"{member} near an archive, but it is no state"))
    return wrong


STRUCT = """typedef struct sn_world_scratch {
    sn_jacobi jacobi;
    int %s;
} sn_world_scratch;
"""
CHANGE = "void f(sn_world *world) {\n    world->scratch.jacobi.w = 0;\n}\n"

SELF_TESTS = [
    (
        rule_world_parts,
        "a member that nobody may use, one used in the wrong folder, and scratch in a snapshot",
        {
            WORLD: STRUCT % "heat",
            "src/systems/rain/r.c": CHANGE,
            "src/state/s.c": "void f(sn_world *world, sn_archive *a) {\n"
            '    sn_archive_column(a, "w", 1, world->scratch.jacobi.w, 1);\n}\n',
        },
        [(WORLD, 3), ("src/systems/rain/r.c", 2), ("src/state/s.c", 2)],
    ),
    (
        rule_world_parts,
        "nothing",
        {
            WORLD: STRUCT % "segments",
            "src/step/r.c": CHANGE,
            "src/state/s.c": "void f(sn_world *world, sn_archive *a) {\n"
            "    world->scratch.masses_changed = true;\n"
            '    sn_archive_column(a, "x", 1, world->nodes.x, 1);\n}\n',
        },
        [],
    ),
]
