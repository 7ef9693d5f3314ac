#!/usr/bin/env python3
"""The public interface as one JSON document, made from the headers.

    api.py [--cc CC] [ROOT] > api.json

What bindings, type declarations and references are made from: every function, struct, enum,
callback and constant of the public headers with its text, and of structs that are lists of fields
(sinew/field.h) unit, range and default. Nothing is known here about a single one of them.

    functions   name, header, library, doc, returns, parameters
    structs     name, header, library, doc, kind, fields; kind is "opaque" (used by its pointer
                alone), "id" (of an object of a world), "definition" (made by a default function) or
                "plain"
    enums       name, header, library, doc, values
    callbacks   as functions
    aliases     name and type
    constants   name and value

A type is {"type", "const", "pointer", "array"}: the name without qualifiers, how many stars, and
the lengths of an array, which is what the pointer points to where there is one.
"""

import argparse
import bisect
import json
import os
import re
import subprocess
import sys

LIBRARIES = ("sinew", "sinew_io", "sinew_picture")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
VISIBLE = re.compile(r'__attribute__\s*\(\(\s*visibility\s*\("default"\)\s*\)\)')
ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)")


# ---- Text ----


def headers(root):
    """The public headers, from include/, in the order of their libraries."""
    found = []
    for library in LIBRARIES:
        for where, folders, names in os.walk(os.path.join(root, "include", library)):
            folders.sort()
            for name in sorted(name for name in names if name.endswith(".h")):
                path = os.path.relpath(os.path.join(where, name), os.path.join(root, "include"))
                found.append(path.replace(os.sep, "/"))
    return found


def preprocessed(cc, root, text, *options):
    command = [cc, "-std=c17", "-E", *options, "-I", os.path.join(root, "include"), "-x", "c", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stderr)
    return done.stdout


def comment_text(comment):
    """What a comment says, without its marks."""
    lines = re.sub(r"^/\*+|\*/$|^//", "", comment).split("\n")
    lines = [re.sub(r"^\s*\* ?", "", line) if "*" in line[:4] else line.strip() for line in lines]
    return "\n".join(line.rstrip() for line in lines).strip()


def own_text(root, text):
    """What comes from the public headers, and where in it each of them begins or goes on."""
    include = os.path.join(root, "include") + os.sep
    lines, places, header, length = [], [], None, 0
    for line in text.split("\n"):
        mark = re.match(r'# \d+ "([^"]*)"', line)
        if mark:
            path = mark.group(1)
            header = path[len(include) :].replace(os.sep, "/") if path.startswith(include) else None
            if header:
                places.append((length, header))
        elif header:
            lines.append(line + "\n")
            length += len(lines[-1])
    return "".join(lines), places


def declarations(text):
    """Every declaration: where it begins, the comment before it or None, and its text."""
    at, comment = 0, None
    while at < len(text):
        mark = COMMENT.match(text, at)
        if text[at].isspace():
            at += 1
        elif mark:
            comment, at = comment_text(mark.group(0)), mark.end()
            if comment.startswith("----"):
                comment = None
        else:
            end, depth = at, 0
            while depth > 0 or text[end] != ";":
                inner = COMMENT.match(text, end)
                if inner:
                    end = inner.end()
                    continue
                depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(text[end], 0)
                end += 1
                if depth == 0 and text[end - 1] == "}" and text.startswith("static", at):
                    break
            if not text.startswith("static", at):
                yield at, comment, text[at:end].strip()
            at, comment = end + 1, None


def split(text):
    """The arguments of a list, at its own commas."""
    parts, depth, at = [""], 0, 0
    while at < len(text):
        string = STRING.match(text, at)
        piece = string.group(0) if string else text[at]
        at += len(piece)
        depth += {"{": 1, "(": 1, "[": 1, "}": -1, ")": -1, "]": -1}.get(piece, 0)
        if piece == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += piece
    return [part.strip() for part in parts if part.strip()]


# ---- Types ----


def declared(text):
    """The name and the type of one declarator, such as "const uint32_t (*triangles)[3]"."""
    text = " ".join(text.split())
    pointer = re.match(r"(.*?)\(\s*(\*+)\s*(\w+)\s*\)(.*)", text)
    if pointer and pointer.group(4).startswith("("):
        return pointer.group(3), {"type": "function", "const": False, "pointer": 1, "array": []}
    if pointer:
        base, stars, name, rest = pointer.groups()
    else:
        base, name, rest = re.match(r"(.*?)(\w+)\s*((?:\[[^\]]*\])*)$", text).groups()
        stars = ""
    stars += "*" * base.count("*")
    words = [word for word in re.findall(r"\w+", base) if word not in ("struct", "enum")]
    array = [int(n) if n.isdigit() else n for n in re.findall(r"\[\s*(\w+)\s*\]", rest)]
    kind = " ".join(word for word in words if word != "const").replace("_Bool", "bool")
    return name, {
        "type": kind, "const": "const" in words, "pointer": len(stars), "array": array,
    }


def declarators(text):
    """The same of all that a declaration declares: "sn_real x, y, z"."""
    first, *others = split(text)
    found = [declared(first)]
    base = re.match(r"((?:const |struct |enum )*\w+)", " ".join(first.split())).group(1)
    return found + [declared(f"{base} {other}") for other in others]


def function(text):
    """Name, result and parameters of a function."""
    text = ATTRIBUTE.sub("", VISIBLE.sub("", COMMENT.sub("", text)))
    head, arguments = re.match(r"(.*?\w)\s*\((.*)\)\s*$", text, re.S).groups()
    name, result = declared(head)
    parameters = []
    for part in split(arguments):
        if part == "...":
            parameters.append({"name": "...", "type": "...", "const": False, "pointer": 0,
                               "array": []})
        elif part != "void":
            parameter, kind = declared(part)
            parameters.append({"name": parameter, **kind})
    return name, result, parameters


def members(body):
    """The members of a struct with their comments: before them, or behind them on their line."""
    fields, before = [], None
    pattern = re.compile(rf"\s*(?:({COMMENT.pattern})|([^;]*;)[ \t]*({COMMENT.pattern})?)", re.S)
    at = 0
    while body[at:].strip():
        mark = pattern.match(body, at)
        at = mark.end()
        if mark.group(1):
            before = comment_text(mark.group(1))
            continue
        inner = COMMENT.search(mark.group(2))
        behind = mark.group(3) or (inner.group(0) if inner else None)
        doc = comment_text(behind) if behind else before or ""
        for name, kind in declarators(COMMENT.sub("", mark.group(2)).rstrip(";")):
            fields.append({"name": name, **kind, "doc": " ".join(doc.split())})
        before = None
    return fields


def enumerators(body, constants):
    """The values of an enum with their comments."""
    values, following, before = [], 0, None
    pattern = re.compile(
        rf"\s*(?:({COMMENT.pattern})|(\w+)\s*(?:=([^,/]*))?,?[ \t]*({COMMENT.pattern})?)", re.S)
    at = 0
    while body[at:].strip():
        mark = pattern.match(body, at)
        at = mark.end()
        if mark.group(1):
            before = comment_text(mark.group(1))
            continue
        number = following
        if mark.group(3):
            number = eval(mark.group(3).strip(), {"__builtins__": {}}, constants)
        doc = comment_text(mark.group(4)) if mark.group(4) else before or ""
        values.append({"name": mark.group(2), "value": number, "doc": " ".join(doc.split())})
        constants[mark.group(2)] = number
        following, before = number + 1, None
    return values


# ---- Lists of fields ----


def field_lists(root):
    """The lists that structs are made of: struct, calls of macros, and the text of the list."""
    lists, docs = [], {}
    for header in headers(root):
        with open(os.path.join(root, "include", header), encoding="utf-8") as file:
            text = file.read()
        for comment, name in re.findall(r"(/\*(?:(?!\*/).)*\*/)\n#define (SN_\w+_FIELDS)\(", text,
                                        re.S):
            docs[name] = comment_text(comment)
        for name, fields in re.findall(r"^SN_DECLARE_OBJECT\((\w+), (\w+)\)", text, re.M):
            lists.append((f"sn_{name}_def", f"{fields}(FIELD, ARRAY)", fields))
        for name, fields in re.findall(r"^SN_DECLARE_CONSTRAINT\((\w+), \w+, (\w+)\)", text, re.M):
            calls = f"SN_COMMON_FIELDS(FIELD) {fields}(FIELD)"
            lists.append((f"sn_{name}_def", calls, fields))
        for name, fields in re.findall(r"^SN_DECLARE_LIST_CONSTRAINT\((\w+), (\w+)\)", text, re.M):
            calls = f"SN_COMMON_FIELDS(FIELD) {fields}(FIELD)"
            lists.append((f"sn_{name}_def", calls, fields))
        for name, fields in re.findall(r"^SN_DECLARE_KIND\((\w+), (\w+)\)", text, re.M):
            lists.append((f"sn_{name}_material", f"{fields}(FIELD)", fields))
        for name, body in re.findall(r"^typedef struct (sn_\w+) \{\n(.*?)^\} \1;", text,
                                     re.M | re.S):
            for fields in re.findall(r"SN_MEMBERS\((\w+)\)", body):
                lists.append((name, f"{fields}(FIELD, ARRAY)", fields))
            for fields in re.findall(r"(\w+)\(SN_MEMBER\)", body):
                lists.append((name, f"{fields}(FIELD)", ""))
    return lists, docs


def string(text):
    """What string literals one after the other say; of a list of names all have a bar before."""
    said = "".join(STRING.findall(text)).encode().decode("unicode_escape")
    return said[1:] if text.startswith("(&") else said


def number(text, constants):
    """A bound or a default: a number, None where it is the largest there is, or "auto"."""
    text = text.strip("() ")
    if text.strip("- ") == "LARGEST":
        return None
    if text == "AUTOMATIC":
        return "auto"
    return eval(re.sub(r"(?<=\d)[fFuUlL]+\b", "", text), {"__builtins__": {}}, constants)


def listed(cc, root, constants):
    """What the lists say of each struct: its text, and its fields by their names."""
    lists, docs = field_lists(root)
    lines = [f"#include <{header}>" for header in headers(root) if "/list.h" not in header]
    lines += ["#undef SN_REAL_MAX", "#define SN_REAL_MAX LARGEST", "#undef SN_AUTO",
              "#define SN_AUTO AUTOMATIC"]
    for name, calls, _ in lists:
        lines += [f"@struct {name}", calls]
    text = preprocessed(cc, root, "\n".join(lines) + "\n", "-P")
    text = text[text.index("@struct") :]
    found = {}
    for part in text.split("@struct ")[1:]:
        name, body = part.split(None, 1) if len(part.split()) > 1 else (part.strip(), "")
        fields = found.setdefault(name, {})
        for macro, arguments in calls_of(body):
            said = split(arguments)
            if macro == "ARRAY":
                fields[said[1]] = {"elements": said[0].lower(), "count": said[2],
                                   "unit": string(said[3]), "optional": said[4] in ("true", "1"), "doc": string(said[5])}
                continue
            kind, field, unit, least, most, default, automatic, doc = said
            fact = {"unit": string(unit), "least": number(least, constants),
                    "most": number(most, constants), "default": number(default, constants),
                    "automatic": automatic in ("true", "1"), "doc": string(doc)}
            if kind.startswith("VEC3_OF"):
                fact["default"] = [number(n, constants) for n in split(kind[8:-1])]
            if kind in ("CHOICE", "SIDE") or kind.startswith("ENUM"):
                fact["choices"], fact["unit"] = [n for n in fact["unit"].split("|") if n], ""
            fields[field] = fact
    return found, {name: docs[fields] for name, _, fields in lists if fields in docs}


def calls_of(text):
    """The lines FIELD(...) and ARRAY(...) of a list."""
    at = 0
    while True:
        mark = re.compile(r"\b(FIELD|ARRAY)\(").search(text, at)
        if not mark:
            return
        end, depth = mark.end(), 1
        while depth > 0:
            said = STRING.match(text, end)
            if said:
                end = said.end()
                continue
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        yield mark.group(1), text[mark.end() : end - 1]
        at = end


# ---- The document ----


def read_declaration(api, constants, place, doc, text):
    """Puts one declaration where it belongs."""
    made = re.match(r"typedef\s+(struct|enum)\s+(\w+)\s*\{(.*)\}\s*(\w+)$", text, re.S)
    forward = re.match(r"typedef\s+struct\s+(\w+)\s+(\w+)$", text)
    nameless = re.match(r"enum\s*\{(.*)\}$", text, re.S)
    if made and made.group(1) == "enum":
        values = enumerators(made.group(3), constants)
        api["enums"].append({"name": made.group(2), **place, "doc": doc or "", "values": values})
    elif made:
        struct = {"name": made.group(2), **place, "doc": doc or "", "kind": "plain"}
        api["structs"].append({**struct, "fields": members(made.group(3))})
    elif forward:
        struct = {"name": forward.group(1), **place, "doc": doc or "", "kind": "opaque"}
        api["structs"].append({**struct, "fields": []})
    elif nameless:
        for value in enumerators(nameless.group(1), constants):
            api["constants"].append({"name": value["name"], "value": value["value"]})
    elif text.startswith("typedef") and "(" in text:
        name, result, parameters = function(text[len("typedef") :])
        api["callbacks"].append({"name": name, **place, "doc": doc or "", "returns": result,
                                 "parameters": parameters})
    elif text.startswith("typedef"):
        name, kind = declared(text[len("typedef") :])
        if name != "sn_real":
            api["aliases"].append({"name": name, **kind})
    elif VISIBLE.search(text):
        name, result, parameters = function(text)
        if doc is None and api["functions"] and api["functions"][-1]["header"] == place["header"]:
            # One comment above several functions is about all of them.
            doc = api["functions"][-1]["doc"]
        if name.endswith("_default") and not parameters:
            doc = f"The defaults of {result['type']}."
        api["functions"].append({"name": name, **place, "doc": doc or "", "returns": result,
                                 "parameters": parameters})


def describe(cc, root):
    """The document."""
    api = {"version": "", "functions": [], "structs": [], "enums": [], "callbacks": [],
           "aliases": [], "constants": []}
    constants = {}
    include = "".join(f"#include <{header}>\n" for header in headers(root)
                      if "/list.h" not in header)
    text, places = own_text(root, preprocessed(cc, root, include, "-C"))
    for at, doc, declaration in declarations(text):
        header = places[bisect.bisect_right(places, (at, "~")) - 1][1]
        place = {"header": header, "library": header.split("/")[0]}
        read_declaration(api, constants, place, doc, declaration)
    for header in headers(root):
        with open(os.path.join(root, "include", header), encoding="utf-8") as file:
            for name, value in re.findall(r"^#define (SN_\w+) (\d+)$", file.read(), re.M):
                api["constants"].append({"name": name, "value": int(value)})
                constants[name] = int(value)
    api["version"] = ".".join(str(constants[f"SN_VERSION_{part}"])
                              for part in ("MAJOR", "MINOR", "PATCH"))
    facts, docs = listed(cc, root, constants)
    defaults = {function["returns"]["type"] for function in api["functions"]
                if function["name"].endswith("_default")}
    for struct in api["structs"]:
        names = [field["name"] for field in struct["fields"]]
        struct["doc"] = docs.get(struct["name"], struct["doc"])
        if names == ["slot", "generation", "world"]:
            struct["kind"] = "id"
        elif struct["name"] in defaults:
            struct["kind"] = "definition"
        for field in struct["fields"]:
            field.update(facts.get(struct["name"], {}).get(field["name"], {}))
            field["array"] = [constants.get(n, n) for n in field["array"]]
    return api


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cc", default="cc", help="the C compiler, which expands macros")
    parser.add_argument("root", nargs="?", default=os.path.join(os.path.dirname(__file__), ".."))
    arguments = parser.parse_args()
    api = describe(arguments.cc, os.path.abspath(arguments.root))
    json.dump(api, sys.stdout, indent=1)
    sys.stdout.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
