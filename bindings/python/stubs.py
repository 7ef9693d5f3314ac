"""Type stubs of the Python module, from the same tables as its functions."""

import json
import keyword

NUMBERS = {
    "bool": "bool", "int": "int", "uint8_t": "int", "uint16_t": "int", "uint32_t": "int",
    "uint64_t": "int", "size_t": "int", "int64_t": "int", "sn_real": "float", "double": "float",
    "char": "str",
}
VECTORS = {"sn_vec3": "Vec3", "sn_vec4": "Vec4", "sn_quat": "Vec4"}

HEAD = '''"""The C library: every public function and struct. Made by generate.py."""
from typing import Any, Callable, Iterable, Iterator, Sequence

Vec3 = Sequence[float]
Vec4 = Sequence[float]
Bytes = bytes | bytearray | memoryview
Array = Any  # a sequence, or what has a buffer, such as an array of NumPy

class View:
    shape: tuple[int, ...]
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Any: ...
    def __iter__(self) -> Iterator[Any]: ...
    def tolist(self) -> list[Any]: ...
    def __dlpack__(self, **options: Any) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __buffer__(self, flags: int) -> memoryview: ...

class Error(Exception): ...
'''


def python_type(generator, kind):
    """What Python calls a value of a type of C."""
    if kind in generator.enums:
        return "str | int"
    if kind in generator.structs:
        return class_name(kind)
    return NUMBERS.get(kind) or VECTORS.get(kind) or "Any"


def class_name(struct):
    """sn_node_def is NodeDef."""
    return "".join(part.capitalize() for part in struct[3:].split("_"))


def field_type(generator, field):
    """What Python sees of a field."""
    kind, array = generator.resolved(field)
    if kind in generator.callbacks:
        return "Callable[..., Any] | None"
    if field.get("choices"):
        return "str | int"
    if field["pointer"] > (1 if kind == "char" else 0):
        return "Array"
    if array:
        return "Sequence[Any]"
    automatic = field.get("automatic") or "SN_AUTO" in field["doc"]
    return python_type(generator, kind) + (" | None" if automatic or kind == "char" else "")


def write_stubs(generator, calls, path):
    """`calls` are (name, (arguments with types, result, whether it takes fields)) of all."""
    lines = [HEAD]
    for error in ("Null", "Definition", "Value", "Id", "Stale", "Foreign", "Degenerate", "Memory",
                  "Limit", "Locked", "Name", "Data", "File"):
        lines.append(f"class {error}Error(Error): ...")
    arguments = dict(calls)
    for name, struct in sorted(generator.structs.items()):
        lines.append(f"\nclass {class_name(name)}:\n    {json.dumps(struct['doc'])}")
        if struct["kind"] == "id":
            lines.append("    slot: int\n    world: World")
        elif struct["kind"] == "opaque":
            lines.append("    closed: bool\n    def close(self) -> None: ...")
            lines.append(f"    def __enter__(self) -> {class_name(name)}: ...")
            lines.append("    def __exit__(self, *error: Any) -> None: ...")
        else:
            lines.append("    def __init__(self, **fields: Any) -> None: ...")
        for field in struct.get("shown", []):
            name_ = field["name"] + ("_" if keyword.iskeyword(field["name"]) else "")
            lines.append(f"    {name_}: {field_type(generator, field)}")
        for method, thunk, doc in generator.methods.get(name, []):
            function = thunk[len("method_") :]
            skip = 2 if struct["kind"] == "id" else 1
            given, result, fields = arguments[function]
            lines.append(f"    def {method}({parameters(given[skip:], fields, 'self')}) -> "
                         f"{result}: ...")
    for name, (given, result, fields) in calls:
        lines.append(f"def {name[3:]}({parameters(given, fields)}) -> {result}: ...")
    for enum in generator.enums.values():
        lines += [f"{value['name'][3:]}: int" for value in enum["values"]]
    lines += [f"{name[3:]}: int" for name in generator.constants()]
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def parameters(arguments, fields, first=None):
    """Of a definition its fields may be given in its place."""
    parts = [first] if first else []
    optional = False
    for (name, needed), type in arguments:
        optional = optional or not needed
        parts.append(f"{name}: {type}" + (" | None = None" if optional else ""))
    return ", ".join(parts + (["**fields: Any"] if fields else []))
