"""The tree as text: files, what in them is code and what comments, and the lists that it has."""

import functools
import os
import re

CODE = (".c", ".h", ".inl", ".cpp", ".hpp")
TEXT = CODE + (".py", ".cmake")
PUBLIC = ("include/sinew/", "include/sinew_io/", "include/sinew_picture/")


def read_tree(root, folders):
    """All text files below the folders, by their path from the root."""
    tree = {}
    for folder in folders:
        for where, names, files in os.walk(os.path.join(root, folder)):
            names.sort()
            for name in sorted(files):
                path = os.path.join(where, name)
                if name.endswith(TEXT):
                    with open(path, encoding="utf-8") as file:
                        tree[os.path.relpath(path, root).replace(os.sep, "/")] = file.read()
    return tree


TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)


@functools.lru_cache(maxsize=None)
def without_comments(text):
    """The text with comments blanked, lines kept."""

    def blank(match):
        token = match.group(0)
        return re.sub(r"[^\n]", " ", token) if token.startswith("/") else token

    return TOKEN.sub(blank, text)


def comments_only(text):
    """The text of the comments, everything else blanked, lines kept."""
    parts = []
    end = 0
    for match in TOKEN.finditer(text):
        parts.append(re.sub(r"[^\n]", " ", text[end : match.start()]))
        token = match.group(0)
        parts.append(token if token.startswith("/") else re.sub(r"[^\n]", " ", token))
        end = match.end()
    parts.append(re.sub(r"[^\n]", " ", text[end:]))
    return "".join(parts)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def code_files(tree):
    return [(path, text) for path, text in sorted(tree.items()) if path.endswith(CODE)]


def type_names(tree):
    """The types, from the list."""
    text = without_comments(tree.get("include/sinew/constraints/list.h", ""))
    return re.findall(r"#include\s*<sinew/constraints/(\w+)\.h>", text)


def kind_names(tree):
    """The kinds of bodies, from their list."""
    text = without_comments(tree.get("include/sinew/kinds/list.h", ""))
    return re.findall(r"#include\s*<sinew/kinds/(\w+)\.h>", text)


def system_names(tree):
    """The systems, from their list."""
    text = without_comments(tree.get("src/state/system_list.h", ""))
    return re.findall(r"^\s*SYSTEM\(\w+, (\w+)\)", text, re.M)


FUNCTION = re.compile(r"^(?![#\s}/])[^;={}]*?\b(\w+)\s*\([^;{}]*\)\s*\{[ \t]*$", re.M)


def functions(text):
    """Name, first line and number of lines of every function, in what clang-format leaves."""
    code = without_comments(text)
    for match in FUNCTION.finditer(code):
        end = code.find("\n}", match.end() - 1)
        yield match.group(1), line_of(code, match.start()), code.count("\n", match.start(), end) + 2
