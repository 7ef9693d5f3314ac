#!/usr/bin/env python3
"""The tables of the Python module from api.json.

    generate.py API.json TABLES.c STUBS.pyi

Every function becomes one of the module and a method of what its first parameter is; every struct a
class with its fields; of every enum the names. shapes.py has what api.json does not say.
"""

import json
import keyword
import re
import sys

sys.dont_write_bytecode = True
from shapes import (CLOSERS, COLUMNS, COUNTS, FIELDS_FOR_C_ALONE, FOR_C_ALONE, LENGTHS, OWNERS,
                    PLAIN, STRUCTS_FOR_C_ALONE, TRAMPOLINES)
from stubs import class_name, write_stubs

NUMBERS = {
    "bool": ("SNPY_BOOL", "bool", 0), "int": ("SNPY_INT", "int", 1),
    "uint8_t": ("SNPY_INT", "uint8_t", 0), "uint16_t": ("SNPY_INT", "uint16_t", 0),
    "uint32_t": ("SNPY_INT", "uint32_t", 0), "uint64_t": ("SNPY_INT", "uint64_t", 0),
    "size_t": ("SNPY_INT", "size_t", 0), "int64_t": ("SNPY_INT", "int64_t", 1),
    "sn_real": ("SNPY_FLOAT", "sn_real", 1), "double": ("SNPY_FLOAT", "double", 1),
    "char": ("SNPY_TEXT", "char *", 0),
}
VECTORS = {"sn_vec3": 3, "sn_vec4": 4, "sn_quat": 4}


def python_name(name):
    """A name that Python has no other use for."""
    return name + "_" if keyword.iskeyword(name) else name


def quoted(text):
    return json.dumps(text, ensure_ascii=True)


def is_for_c_alone(name):
    return any(re.fullmatch(pattern, name) for pattern in FOR_C_ALONE)


class Generator:
    def __init__(self, api):
        self.api = api
        self.structs = {struct["name"]: struct for struct in api["structs"]
                        if struct["name"] not in STRUCTS_FOR_C_ALONE
                        and struct["library"] != "sinew_picture"}
        self.enums = {enum["name"]: enum for enum in api["enums"]
                      if enum["library"] != "sinew_picture"}
        self.aliases = {alias["name"]: alias for alias in api["aliases"]}
        self.callbacks = {callback["name"] for callback in api["callbacks"]}
        self.records = {name: struct for name, struct in self.structs.items()
                        if struct["kind"] != "opaque"}
        self.handles = {name for name, struct in self.structs.items()
                        if struct["kind"] == "opaque"}
        self.functions = [function for function in api["functions"]
                          if function["library"] != "sinew_picture"
                          and not is_for_c_alone(function["name"])]
        self.defaults = {function["returns"]["type"]: function["name"]
                         for function in api["functions"] if function["name"].endswith("_default")
                         and not function["parameters"]}
        self.lines = []
        self.methods = {}

    def out(self, text):
        self.lines.append(text)

    def is_known(self, kind):
        return (kind in NUMBERS or kind in VECTORS or kind in self.enums
                or kind in self.records)

    def resolved(self, fact):
        """The type of a field or parameter with aliases followed: name and array."""
        kind, array = fact["type"], list(fact["array"])
        if kind in self.aliases:
            array = array + self.aliases[kind]["array"]
            kind = self.aliases[kind]["type"]
        return kind, array

    # ---- Types, enums, structs ----

    def make_types(self):
        for name in sorted(self.records):
            self.out(f"static snpy_struct struct_{name};" if name != "sn_mesh"
                     else "snpy_struct snpy_mesh_struct;")
        for name in sorted(self.handles):
            self.out(f"extern snpy_class {name.replace('sn_', 'snpy_', 1)}_class;")
        for name, enum in sorted(self.enums.items()):
            self.out(f"static const snpy_word words_{name}[] = {{")
            for word, value in words(enum):
                self.out(f"    {{{quoted(word)}, {value['name']}}},")
            self.out("    {NULL, 0}};")
        for name, (kind, c, signed) in NUMBERS.items():
            self.out(f"const snpy_type snpy_type_{name} = {{\"{name}\", {kind}, sizeof({c}), "
                     f"{signed}, 0, NULL, NULL}};")
        for name, width in VECTORS.items():
            self.out(f"const snpy_type snpy_type_{name} = {{\"{name}\", SNPY_VECTOR, "
                     f"sizeof({name}), 1, {width}, NULL, NULL}};")
        for name in sorted(self.enums):
            self.out(f"const snpy_type snpy_type_{name} = {{\"{name}\", SNPY_ENUM, "
                     f"sizeof({name}), 1, 0, words_{name}, NULL}};")
        for name, struct in sorted(self.records.items()):
            kind = "SNPY_ID" if struct["kind"] == "id" else "SNPY_RECORD"
            self.out(f"const snpy_type snpy_type_{name} = {{\"{class_name(name)}\", {kind}, "
                     f"sizeof({name}), 0, 0, NULL, &{self.struct_of(name)}}};")

    def struct_of(self, name):
        return "snpy_mesh_struct" if name == "sn_mesh" else f"struct_{name}"

    def count_of(self, struct, field):
        """The field that says how many elements an array has, or None."""
        names = {other["name"] for other in struct["fields"]}
        name = field["name"]
        candidates = [COUNTS.get((struct["name"], name)), field.get("count"), name[:-1] + "_count",
                      "vertex_count" if name == "vertices" else None, "count"]
        return next((count for count in candidates if count in names), None)

    def field_line(self, struct, field):
        """The line of a field, or None where it is for C alone."""
        key, (kind, array) = (struct["name"], field["name"]), self.resolved(field)
        if field["name"] in FIELDS_FOR_C_ALONE or key in FIELDS_FOR_C_ALONE:
            return None
        line = {"name": quoted(python_name(field["name"])), "doc": quoted(field_doc(field)),
                "offset": f"offsetof({struct['name']}, {field['name']})"}
        automatic = field.get("automatic") or "SN_AUTO" in field["doc"]
        line["automatic"] = "true" if automatic and kind in ("sn_real", "sn_vec3") else "false"
        line["read_only"] = "true" if struct["name"] in OWNERS else "false"
        if kind in self.callbacks:
            if kind not in TRAMPOLINES:
                return None
            users = [other["name"] for other in struct["fields"]]
            user = next(name for name in users[users.index(field["name"]) :] if "user" in name)
            return {**line, "place": "SNPY_CALLBACK", "automatic": "false",
                    "other_offset": f"offsetof({struct['name']}, {user})",
                    "trampoline": f"(void (*)(void)){TRAMPOLINES[kind]}"}
        if not self.is_known(kind):
            return None
        line["type"] = f"&snpy_type_{kind}"
        if kind == "char" and array:
            return {**line, "place": "SNPY_LETTERS", "read_only": "true"}
        stars = field["pointer"] - (1 if kind == "char" else 0)
        if stars == 0:
            return self.value_line(struct, field, line, kind, array)
        count = self.count_of(struct, field)
        length, other, rows = LENGTHS.get(key, ("SNPY_COUNT", None, 0))
        if not count and length != "SNPY_GIVEN":
            return {**line, "place": "SNPY_POINTER"} if kind in self.records else None
        columns = 1
        for n in array:
            columns *= n
        if kind == "uint32_t" and not array:
            columns = PLAIN.get(key, COLUMNS.get(field["name"], 1))
        line.update(place="SNPY_ARRAY", columns=columns, rows=rows, length=length, automatic="false")
        if count:
            line.update(count_offset=f"offsetof({struct['name']}, {count})",
                        count_size=f"sizeof((({struct['name']} *)0)->{count})")
        if other:
            line["other_offset"] = f"offsetof({struct['name']}, {other})"
            line["other_size"] = f"sizeof((({struct['name']} *)0)->{other})"
        return line

    def value_line(self, struct, field, line, kind, array):
        line["place"] = "SNPY_VALUE"
        if len(array) > 2:
            return None
        line["rows"], line["columns"] = ([0, 0] + array)[-2:] if len(array) != 1 else (0, array[0])
        counts = {self.count_of(struct, other) for other in struct["fields"]
                  if other["pointer"] > 0 and self.is_known(other["type"])}
        if field["name"] in counts and "count" in field["name"]:
            line["read_only"] = "true"
        if field.get("choices"):
            line["words"] = f"choice_{struct['name']}_{field['name']}"
            self.out(f"static const snpy_word {line['words']}[] = {{")
            for i, word in enumerate(field["choices"]):
                self.out(f"    {{{quoted(word)}, {i}}},")
            self.out("    {NULL, 0}};")
        elif kind in self.enums and not array:
            line["words"] = f"words_{kind}"
        return line

    def make_structs(self):
        for name, struct in sorted(self.records.items()):
            if struct["kind"] == "id":
                self.out(f"#define fields_{name} NULL\n#define members_{name} NULL")
                continue
            made = [(field, self.field_line(struct, field)) for field in struct["fields"]]
            struct["shown"] = [field for field, line in made if line]
            lines = [line for _, line in made if line]
            self.out(f"static const snpy_field fields_{name}[] = {{")
            for line in lines:
                self.out("    {" + ", ".join(f".{key} = {value}" for key, value in line.items())
                         + "},")
            self.out("    {.name = NULL}};")
            self.out(f"static PyGetSetDef members_{name}[{len(lines) + 1}];")
            struct["lines"] = len(lines)
            if name in self.defaults:
                self.out(f"static void standard_{name}(void *to) {{ *({name} *)to = "
                         f"{self.defaults[name]}(); }}")
            if name in OWNERS:
                self.out(f"static void release_{name}(void *of) {{ {OWNERS[name]}(of); }}")

    def make_tables(self):
        """Structs and classes, once their methods are known."""
        for name, struct in sorted(self.records.items()):
            standard = f"standard_{name}" if name in self.defaults else "NULL"
            release = f"release_{name}" if name in OWNERS else "NULL"
            scope = "" if name == "sn_mesh" else "static "
            self.out(f"{scope}snpy_struct {self.struct_of(name)} = {{\"sinew.c.{class_name(name)}\", "
                     f"{quoted(struct['doc'])}, sizeof({name}), fields_{name}, "
                     f"{struct.get('lines', 0)}, {standard}, {release}, members_{name}, "
                     f"{self.method_table(name)}, {str(struct['kind'] == 'id').lower()}, NULL}};")
        self.out("snpy_struct *const snpy_structs[] = {"
                 + ", ".join(f"&{self.struct_of(name)}" for name in sorted(self.records))
                 + ", NULL};")
        for name in sorted(self.handles):
            short = name.replace("sn_", "snpy_", 1)
            self.out(f"static void close_{name}(void *of) {{ {CLOSERS[name]}(of); }}")
            self.out(f"snpy_class {short}_class = {{\"sinew.c.{class_name(name)}\", "
                     f"{quoted(self.structs[name]['doc'])}, close_{name}, "
                     f"{self.method_table(name)}, NULL}};")
        self.out("snpy_class *const snpy_classes[] = {"
                 + ", ".join(f"&{name.replace('sn_', 'snpy_', 1)}_class"
                             for name in sorted(self.handles)) + ", NULL};")
        for what, prefix, suffix in (("constraint", "SN_TYPE_", "_def"),
                                     ("kind", "SN_KIND_", "_material")):
            enum = self.enums["sn_type" if what == "constraint" else "sn_kind"]
            self.out(f"snpy_struct *snpy_{what}_struct(int number) {{\n    switch (number) {{")
            for value in enum["values"]:
                struct = f"sn_{value['name'][len(prefix):].lower()}{suffix}"
                if struct in self.records:
                    self.out(f"    case {value['name']}: return &struct_{struct};")
            last = ("number >= SN_TYPE_USER && number <= SN_TYPE_USER_LAST ? &struct_sn_user_def : "
                    "NULL" if what == "constraint" else "NULL")
            self.out(f"    default: return {last};\n    }}\n}}")

    def method_table(self, name):
        table = self.methods.get(name, [])
        if not table:
            return "NULL"
        self.out(f"static PyMethodDef methods_{name}[] = {{")
        for method, thunk, doc in table:
            self.out(f"    {{{quoted(method)}, (PyCFunction)(void (*)(void)){thunk}, "
                     f"METH_FASTCALL | METH_KEYWORDS, {quoted(doc)}}},")
        self.out("    {NULL, NULL, 0, NULL}};")
        return f"methods_{name}"

    def constants(self):
        """The names of numbers that are not for C alone."""
        alone = ("SN_ARCHIVE", "SN_PATH", "SN_PICTURE", "SN_PLOT", "SN_VIDEO")
        return [constant["name"] for constant in self.api["constants"]
                if not constant["name"].startswith(alone)]

    def make_constants(self):
        self.out("int snpy_add_constants(PyObject *module) {\n    return 0")
        for enum in self.enums.values():
            for value in enum["values"]:
                self.out(f"           || PyModule_AddIntConstant(module, "
                         f"{quoted(value['name'][3:])}, {value['name']})")
        for name in self.constants():
            self.out(f"           || PyModule_AddIntConstant(module, {quoted(name[3:])}, {name})")
        self.out("        ;\n}")


def words(enum):
    """The values of an enum with their names, without what all of them begin with."""
    names = [value["name"] for value in enum["values"]]
    counted = [name for name in names if not name.endswith("_COUNT")] or names
    common = re.match(r"(.*_)[^_]*$", counted[0]).group(1)
    while not all(name.startswith(common) for name in counted):
        common = re.match(r"(.*_)?[^_]*_$", common).group(1) or ""
    return [(value["name"][len(common) :].lower() if value["name"].startswith(common)
             else value["name"].lower(), value) for value in enum["values"]]


def field_doc(field):
    """What a field is, with unit and default."""
    said = field["doc"]
    if field.get("unit"):
        said += f" [{field['unit']}]"
    if field.get("choices"):
        said += " (" + ", ".join(field["choices"]) + ")"
    if "default" in field and field["default"] is not None:
        said += f"; default {'None' if field['default'] == 'auto' else field['default']}"
    return said


def main(source, target, stubs):
    from calls import make_calls

    with open(source, encoding="utf-8") as file:
        generator = Generator(json.load(file))
    generator.out("/* Made by generate.py from api.json. */\n#include \"binding.h\"\n"
                  "#include <stddef.h>\n#include <string.h>")
    generator.make_types()
    generator.make_structs()
    calls = make_calls(generator)
    generator.make_tables()
    generator.make_constants()
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(generator.lines) + "\n")
    write_stubs(generator, calls, stubs)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
