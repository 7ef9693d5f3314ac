"""The calls of the Python module: from the parameters of a function to what Python sees of it."""

import json
import keyword
import re

from shapes import (BY_HAND, BY_HAND_TYPES, COLUMNS, ENOUGH, FITTING, GROWING, MAY_BE_NONE, NEEDED,
                    OWNERS, ROOM, UNLOCKED)
from stubs import python_type

TEXT = {"type": "char", "const": True, "pointer": 1, "array": []}


class Call:
    """One function: lines of C that take its arguments, make the call and give its results."""

    def __init__(self, generator, function):
        self.g, self.function = generator, function
        self.name = function["name"]
        self.arguments = []  # (name, needed)
        self.locals, self.takes, self.passed, self.gives = [], [], [], []
        self.before, self.prepare = [], []
        self.definition = None
        self.home = "NULL"
        self.handle = None
        self.into = None
        self.types, self.given_types = [], []  # of arguments and results, for the stubs
        self.roles()

    def argument(self, name, needed=True, type="Any"):
        self.arguments.append((name + "_" if keyword.iskeyword(name) else name, needed))
        self.types.append(type)
        return f"given[{len(self.arguments) - 1}]"

    def give(self, expression, type="Any"):
        self.gives.append(expression)
        self.given_types.append(type)

    def kind(self, kind, columns=1):
        """What Python calls a value of a type of C."""
        return python_type(self.g, kind) if columns == 1 else "Sequence[float]"

    def expect(self, parameter, place):
        """None is refused."""
        if (self.name, parameter["name"]) not in MAY_BE_NONE:
            self.takes.append(f"snpy_is_given({place}, \"{parameter['name']}\")")

    def typed(self, parameter):
        kind, array = self.g.resolved(parameter)
        return kind, array

    def columns(self, parameter, kind, array):
        if array:
            return array[0] if len(array) == 1 else array[0] * array[1]
        return COLUMNS.get(parameter["name"], 1) if kind in ("uint32_t", "sn_node") else 1

    # ---- Parameters ----

    def roles(self):
        parameters = self.function["parameters"]
        i = 0
        while i < len(parameters):
            i += self.role(parameters, i)
        if self.name in NEEDED:
            of, names, count, whose = NEEDED[self.name]
            place = next(i for i, (name, _) in enumerate(self.arguments) if name in (of, of + "_"))
            self.takes += [f'snpy_has(given[{place}], "{name}", {count}, "{whose}")'
                           for name in names]

    def counted(self, parameters, i):
        """How many pointers from here share a count that follows them; 0 where none does."""
        n = 0
        while i + n < len(parameters) and parameters[i + n]["pointer"] == 1 \
                and parameters[i + n]["const"] == parameters[i]["const"] \
                and parameters[i + n]["type"] != "char" \
                and parameters[i + n]["type"] not in self.g.handles \
                and parameters[i + n]["type"] not in OWNERS:
            n += 1
        if n == 0 or i + n >= len(parameters):
            return 0
        last = parameters[i + n]
        fits = last["type"] == "size_t" and last["pointer"] == 0
        named = re.search(r"count|capacity|^size|^edges$|^lines$", last["name"])
        return n if fits and named else 0

    def role(self, parameters, i):
        p = parameters[i]
        kind, array = self.typed(p)
        key = (self.name, p["name"])
        if kind in self.g.handles:
            return self.take_handle(p, kind)
        if kind == "char" and p["pointer"] == 1 and p["const"]:
            self.locals.append(f"const char *{p['name']};")
            place = self.argument(p["name"], type="str")
            self.expect(p, place)
            self.takes.append(f"snpy_take(&snpy_type_char, {place}, (void *)&{p['name']}, "
                              f"\"{p['name']}\", &kept)")
            self.passed.append(p["name"])
            return 1
        if kind == "void":
            return self.take_void(parameters, i)
        if key in ROOM:
            return self.give_room(p, kind, array, key)
        if key in FITTING or key in ENOUGH:
            return self.take_fitting(p, kind, key)
        if p["pointer"] == 2:
            return self.give_lent(parameters, i, kind)
        shared = self.counted(parameters, i)
        if shared and p["const"]:
            return self.take_arrays(parameters, i, shared)
        if shared and parameters[i + shared]["name"] == "capacity":
            return self.give_capacity(parameters, i, shared)
        if p["pointer"] == 1:
            return self.take_or_give_pointer(p, kind)
        if array and not p["const"]:
            self.locals.append(f"{kind} {p['name']}[{array[0]}] = {{0}};")
            self.passed.append(p["name"])
            self.give(f"snpy_give_fixed(&snpy_type_{kind}, 0, {array[0]}, {p['name']}, "
                      f"{self.home})", f"Sequence[{self.kind(kind)}]")
            return 1
        if array:
            self.locals.append(f"{kind} {p['name']}[{array[0]}] = {{0}};")
            place = self.argument(p["name"], type="float | Vec3 | None")
            self.takes.append(f"snpy_take_field_value({place}, {p['name']})")
            self.passed.append(p["name"])
            return 1
        self.locals.append(f"{p['type']} {p['name']};")
        place = self.argument(p["name"], type=self.kind(kind))
        self.takes.append(f"snpy_take(&snpy_type_{kind}, {place}, &{p['name']}, "
                          f"\"{p['name']}\", &kept)")
        self.passed.append(p["name"])
        return 1

    def take_handle(self, p, kind):
        short = kind.replace("sn_", "snpy_", 1) + "_class"
        if p["pointer"] == 2:
            self.locals.append(f"{kind} *{p['name']} = NULL;")
            self.passed.append(f"&{p['name']}")
            self.into = (kind, p["name"], short)
            return 1
        optional = " | None" if (self.name, p["name"]) in MAY_BE_NONE else ""
        place = self.argument(p["name"], type=self.kind(kind) + optional)
        const = "const " if p["const"] else ""
        self.expect(p, place)
        self.locals.append(f"{const}{kind} *{p['name']};")
        self.takes.append(f"snpy_take_handle({place}, &{short}, {str(not p['const']).lower()}, "
                          f"(void *)&{p['name']}, \"{p['name']}\")")
        if self.name in GROWING and not p["const"]:
            self.takes.append(f"!({place} != Py_None && "
                              f"snpy_is_exported({place}, \"{self.name[3:]}\"))")
        if not self.handle:
            self.handle = place
            self.home = f"({place} == Py_None ? NULL : {place})"
        self.passed.append(p["name"])
        return 1

    def take_void(self, parameters, i):
        p = parameters[i]
        if not p["const"]:  # void *buffer, size_t capacity, size_t *size
            assert parameters[i + 1]["name"] == "capacity"
            size = parameters[i + 2]["name"]
            self.locals += [f"size_t {size} = 0;", "void *buffer = NULL;", "size_t capacity = 0;"]
            self.passed += ["buffer", "capacity", f"&{size}"]
            self.before.append(f"buffer = snpy_room({size}, 1, &kept), capacity = {size};")
            self.give(f"PyBytes_FromStringAndSize(buffer, (Py_ssize_t){size})", "bytes")
            return 3
        size = parameters[i + 1]["name"]
        self.locals += [f"const void *{p['name']};", f"size_t {size};"]
        place = self.argument(p["name"], type="Bytes")
        self.takes.append(f"snpy_take_bytes({place}, &{p['name']}, &{size}, "
                          f"\"{p['name']}\", &kept)")
        self.passed += [p["name"], size]
        return 2

    def give_room(self, p, kind, array, key):
        self.locals.append(f"{kind} *{p['name']} = NULL;")
        self.prepare.append(f"{p['name']} = snpy_room({ROOM[key]}, sizeof({kind}), &kept);")
        self.passed.append(p["name"])
        count = "count" if self.name == "sn_surface_bend" else ROOM[key]
        self.give(f"snpy_give_list(&snpy_type_{kind}, 1, {p['name']}, {count}, {self.home})",
                  f"list[{self.kind(kind)}]")
        return 1

    def take_fitting(self, p, kind, key):
        self.locals.append(f"{kind} *{p['name']} = NULL;")
        place = self.argument(p["name"], type="Array")
        take, count = ("same", FITTING[key]) if key in FITTING else ("enough", ENOUGH[key])
        self.takes.append(f"snpy_take_{take}(&snpy_type_{kind}, 1, {place}, "
                          f"(void *)&{p['name']}, {count}, \"{p['name']}\", &kept)")
        self.passed.append(p["name"])
        return 1

    def give_lent(self, parameters, i, kind):
        p, count = parameters[i], parameters[i + 1]
        self.locals += [f"const {kind} *{p['name']} = NULL;", f"size_t {count['name']} = 0;"]
        self.passed += [f"&{p['name']}", f"&{count['name']}"]
        self.give(f"snpy_give_list(&snpy_type_{kind}, 1, {p['name']}, {count['name']}, "
                  f"{self.home})", f"list[{self.kind(kind)}]")
        return 2

    def take_arrays(self, parameters, i, shared):
        count = parameters[i + shared]["name"]
        self.locals.append(f"size_t {count};")
        for j in range(shared):
            p = parameters[i + j]
            kind, array = self.typed(p)
            columns = self.columns(p, kind, array)
            star = f"(*{p['name']})[{array[0]}]" if array else f"*{p['name']}"
            self.locals.append(f"{kind} {star};")
            take = "array" if j == 0 else "same"
            reference = "&" if j == 0 else ""
            place = self.argument(p["name"], j == 0, "Array")
            self.takes.append(
                f"snpy_take_{take}(&snpy_type_{kind}, {columns}, {place},"
                f" (void *)&{p['name']}, {reference}{count}, \"{p['name']}\", &kept)")
            cast = f"(const {kind} (*)[{array[0]}])" if array else ""
            self.passed.append(cast + p["name"])
        self.passed.append(count)
        return shared + 1

    def give_capacity(self, parameters, i, shared):
        """Asks how many there are, then for all of them."""
        self.locals += ["size_t capacity = 0;", "size_t count = 0;"]
        for j in range(shared):
            p = parameters[i + j]
            kind, array = self.typed(p)
            columns = self.columns(p, kind, array)
            self.locals.append(f"{kind} *{p['name']} = NULL;")
            self.prepare.append(f"{p['name']} = snpy_room(1, {columns} * sizeof({kind}), &kept);")
            self.before.append(f"{p['name']} = snpy_room(count, {columns} * sizeof({kind}), &kept);")
            self.passed.append(p["name"])
            self.give(f"snpy_give_list(&snpy_type_{kind}, {columns}, {p['name']}, count, "
                      f"{self.home})", f"list[{self.kind(kind, columns)}]")
        self.before.append("capacity = count;")
        self.passed += ["capacity", "&count"]
        return shared + 2

    def take_or_give_pointer(self, p, kind):
        struct = self.g.records.get(kind)
        is_owner = kind in OWNERS
        if struct and struct["kind"] != "id" and (p["const"] or is_owner):
            needed = self.is_first_definition(kind, is_owner)
            place = self.argument(p["name"], needed, self.kind(kind))
            if needed:
                self.expect(p, place)
            self.locals.append(f"{kind} *{p['name']};")
            self.takes.append(f"snpy_take_record({place}, &{self.g.struct_of(kind)}, "
                              f"{str(not p['const']).lower()}, (void *)&{p['name']}, "
                              f"\"{p['name']}\")")
            if not is_owner and not self.definition and struct["kind"] == "definition":
                self.definition = (len(self.arguments) - 1, kind)
            self.passed.append(p["name"])
            if is_owner and self.home == "NULL":
                self.home = place
            return 1
        if p["const"]:  # one value that may be left out
            self.locals += [f"{kind} {p['name']}_value;", f"{kind} *{p['name']} = NULL;"]
            place = self.argument(p["name"], False, self.kind(kind))
            self.takes.append(f"({place} == Py_None || (snpy_take(&snpy_type_{kind}, {place}, "
                              f"&{p['name']}_value, \"{p['name']}\", &kept) && "
                              f"({p['name']} = &{p['name']}_value)))")
            self.passed.append(p["name"])
            return 1
        standard = self.g.defaults.get(kind)
        self.locals.append(f"{kind} {p['name']};")
        self.prepare.append(f"{p['name']} = {standard}();" if standard
                            else f"memset(&{p['name']}, 0, sizeof {p['name']});")
        self.passed.append(f"&{p['name']}")
        if not (self.name == "sn_surface_bend" and p["name"] == "count"):
            self.give(f"snpy_give(&snpy_type_{kind}, &{p['name']}, {self.home})", self.kind(kind))
        return 1

    def is_first_definition(self, kind, is_owner):
        return is_owner or (self.definition is None and kind not in self.g.defaults)

    # ---- The text ----

    def write(self, out):
        memory = self.into and self.definition and self.into[0] in ("sn_world", "sn_scene")
        if self.into:
            self.into += (self.argument("into", False, self.kind(self.into[0])),)
            self.takes.append(f"snpy_check_into(&{self.into[2]}, {self.into[3]})")
        out(f"static PyObject *run_{self.name}(PyObject *const *given) {{")
        out("    PyObject *kept = NULL, *made = NULL;\n    (void)given;")
        for line in self.locals:
            out("    " + line)
        if memory:
            out("    snpy_memory *memory = NULL;")
        if self.takes:
            out("    if (!(" + " &&\n          ".join(self.takes) + ")) goto end;")
        for line in self.prepare:
            out("    " + line)
        if self.prepare:
            out("    if (PyErr_Occurred()) goto end;")
        if memory:
            definition = self.passed[0]
            out(f"    {self.definition[1]} own = {definition} ? *{definition} : "
                f"{self.g.defaults[self.definition[1]]}();")
            out("    memory = snpy_begin_memory(&own.allocator);\n    if (!memory) goto end;")
            if self.into[0] == "sn_scene":
                out("    own.length = own.text ? strlen(own.text) : 0;")
            self.passed[0] = "&own"
        self.write_call(out, memory)
        out("    goto end;\nend:\n    Py_XDECREF(kept);\n    return made;\n}")

    def write_call(self, out, memory):
        returns = self.function["returns"]
        call = f"{self.name}({', '.join(self.passed)})"
        is_result = returns["type"] == "sn_result" and returns["pointer"] == 0
        if is_result and self.name not in ("sn_result_name", "sn_result_sentence"):
            self.write_result(out, call, memory)
            return
        if returns["type"] == "void":
            out(f"    {call};")
            out("    made = " + self.given() + ";")
            return
        star = "*" * returns["pointer"]
        const = "const " if returns["const"] else ""
        out(f"    {const}{returns['type']} {star}came = {call};")
        if returns["type"] == "bool" and self.gives:
            out(f"    made = came ? {self.given()} : Py_NewRef(Py_None);")
        elif returns["type"] == "char":
            out("    made = snpy_give_text(came);")
            if not returns["const"]:
                out("    sn_scene_text_free(came);")
        elif returns["pointer"] == 1 and self.gives:
            count = self.function["parameters"][0]["name"]
            out(f"    made = snpy_give_list(&snpy_type_{returns['type']}, 1, came, {count}, NULL);")
        elif returns["pointer"] == 1:
            out(f"    made = came ? snpy_give(&snpy_type_{returns['type']}, came, {self.home})"
                " : Py_NewRef(Py_None);")
        else:
            out(f"    made = snpy_give(&snpy_type_{returns['type']}, &came, {self.home});")

    def write_result(self, out, call, memory):
        if self.before:
            out(f"    sn_result asked = {call};\n    if (asked != SN_OK) {{\n"
                "        snpy_fail(asked);\n        goto end;\n    }")
            for line in self.before:
                out("    " + line)
            out("    if (PyErr_Occurred()) goto end;")
        if self.name in UNLOCKED:
            out(f"    PyThreadState *state = snpy_leave({self.handle});")
            out(f"    sn_result came = {call};")
            out(f"    snpy_return({self.handle}, state);")
        else:
            out(f"    sn_result came = {call};")
        if memory:
            out("    if (came != SN_OK) snpy_end_memory(memory);")
        checks = "PyErr_Occurred() || came != SN_OK"
        if self.handle:
            out(f"    if ({self.handle} != Py_None && "
                f"snpy_raise_pending((snpy_handle *){self.handle})) goto end;")
        out(f"    if ({checks}) {{\n        snpy_fail(came);\n        goto end;\n    }}")
        if self.into:
            definition = f"given[{self.definition[0]}]" if self.definition else "NULL"
            out(f"    made = snpy_adopt(&{self.into[2]}, {self.into[1]}, {self.into[3]}, "
                f"{self.home}, {definition});")
            if memory:
                out("    if (made) ((snpy_handle *)made)->memory = memory;\n"
                    "    else snpy_end_memory(memory);")
            return
        if self.definition and self.handle and self.name == "sn_world_add_type":
            out(f"    if (!snpy_keep_callbacks({self.handle}, given[{self.definition[0]}])) goto end;")
        out("    made = " + self.given() + ";")

    def result(self):
        """What Python calls the result, as write_call gives it."""
        returns, gives = self.function["returns"], self.given_types
        all_of_it = {0: "None", 1: gives[0] if gives else ""}.get(
            len(gives), f"tuple[{', '.join(gives)}]")
        is_result = returns["type"] == "sn_result" and returns["pointer"] == 0
        if self.into and is_result:
            return self.kind(self.into[0])
        if returns["type"] == "void" or is_result and not self.name.startswith("sn_result_"):
            return all_of_it
        if returns["type"] == "bool" and gives:
            return all_of_it + " | None"
        if returns["type"] == "char":
            return "str | None" if returns["const"] else "str"
        if returns["pointer"] == 1:
            one = self.kind(returns["type"])
            return f"list[{one}]" if gives else one + " | None"
        return self.kind(self.g.resolved(returns)[0])

    def given(self):
        if not self.gives:
            return "Py_NewRef(Py_None)"
        if len(self.gives) == 1:
            return self.gives[0]
        return f"Py_BuildValue(\"({'N' * len(self.gives)})\", {', '.join(self.gives)})"


def signature(arguments):
    return ", ".join(name if needed else f"{name}=None" for name, needed in arguments)


def place_method(generator, function, arguments):
    """Of what a function is a method, and its name there: (owner, name, how many it brings)."""
    parameters = function["parameters"]
    if not parameters or not arguments:
        return None
    first, short = parameters[0], function["name"][3:]
    kinds = [p["type"] for p in parameters[:2]]
    if first["type"] in generator.handles and first["pointer"] == 1:
        second = generator.records.get(kinds[1]) if len(kinds) > 1 else None
        if kinds[0] == "sn_world" and second and second["kind"] == "id" \
                and parameters[1]["pointer"] == 0 and short.startswith(kinds[1][3:] + "_"):
            return kinds[1], short[len(kinds[1][3:]) + 1 :], 2
        owner = kinds[0]
    elif first["type"] in generator.records and first["pointer"] == 1 \
            and (first["type"] in OWNERS or short.startswith(first["type"][3:] + "_")):
        owner = first["type"]
    else:
        return None
    prefix = owner[3:] + "_"
    return owner, short[len(prefix) :] if short.startswith(prefix) else short, 1


def write_thunks(generator, function, arguments, definition, doc):
    name, out = function["name"], generator.out
    names = ", ".join(json.dumps(argument) for argument, _ in arguments)
    needed = max((i + 1 for i, (_, needs) in enumerate(arguments) if needs), default=0)
    struct = f"&{generator.struct_of(definition[1])}" if definition else "NULL"
    out(f"static const char *const names_{name}[] = {{{names + ', ' if names else ''}NULL}};")
    out(f"static const snpy_call call_{name} = {{\"{name[3:]}\", run_{name}, {len(arguments)}, "
        f"{needed}, names_{name}, {definition[0] if definition else -1}, {struct}}};")
    head = "PyObject *self, PyObject *const *v, Py_ssize_t n, PyObject *k"
    out(f"static PyObject *function_{name}({head}) {{\n    (void)self;\n"
        f"    return snpy_run(&call_{name}, NULL, NULL, v, n, k);\n}}")
    place = place_method(generator, function, arguments)
    if not place:
        return
    owner, method, brought = place
    first = "self, NULL" if brought == 1 else \
        "((snpy_id *)self)->world ? ((snpy_id *)self)->world : Py_None, self"
    out(f"static PyObject *method_{name}({head}) {{\n"
        f"    return snpy_run(&call_{name}, {first}, v, n, k);\n}}")
    said = f"{method}({signature(arguments[brought:])})\n\n{doc}"
    generator.methods.setdefault(owner, []).append((method, f"method_{name}", said))


def make_calls(generator):
    """All of them, and the table of the module."""
    table, calls = [], []
    for function in generator.functions:
        name, doc = function["name"], function["doc"]
        definition = None
        if name in BY_HAND:
            names, needed = BY_HAND[name]
            arguments = [(argument, i < needed) for i, argument in enumerate(names)]
            types, result = BY_HAND_TYPES[name]
            generator.out(f"PyObject *run_{name}(PyObject *const *a);")
        else:
            call = Call(generator, function)
            call.write(generator.out)
            arguments, definition = call.arguments, call.definition
            types, result = call.types, call.result()
        write_thunks(generator, function, arguments, definition, doc)
        calls.append((name, (list(zip(arguments, types)), result, definition is not None)))
        table.append((name[3:], f"function_{name}", f"{name[3:]}({signature(arguments)})\n\n{doc}"))
    generator.out("PyMethodDef snpy_functions[] = {")
    for name, thunk, doc in table:
        generator.out(f"    {{{json.dumps(name)}, (PyCFunction)(void (*)(void)){thunk}, "
                      f"METH_FASTCALL | METH_KEYWORDS, {json.dumps(doc)}}},")
    generator.out("    {NULL, NULL, 0, NULL}};")
    return calls
