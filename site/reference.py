"""The reference: a page per public header from the description of the interface, one of Python."""

import ast
import html
import re

LIBRARIES = {
    "sinew": "The core: worlds, nodes, constraints, contact, systems and the step.",
    "sinew_io": "Scenes, meshes, caches and files of other programs.",
    "sinew_picture": "Pictures, videos and plots.",
}
KINDS = ("functions", "structs", "enums", "callbacks")


def page_name(header):
    """The page of a header, from the top of the site."""
    return "reference/" + header.removesuffix(".h").replace("/", "-") + ".html"


def header_text(path):
    """What a header says of itself: its first comment."""
    found = re.match(r"\s*/\*(.*?)\*/", path.read_text(encoding="utf-8"), re.S)
    lines = [re.sub(r"^\s*\* ?", "", line) for line in (found.group(1) if found else "").split("\n")]
    return "\n".join(lines).strip()


def first_sentence(text):
    text = " ".join(text.split())
    found = re.match(r"(.*?[.:])(\s|$)", text)
    return found.group(1) if found else text


class Reference:
    """Pages from api.json, with a link wherever a name of the interface stands."""

    def __init__(self, api):
        self.api = api
        self.places = {
            entry["name"]: (page_name(entry["header"]), entry["name"])
            for kind in KINDS for entry in api[kind]
        }
        for enum in api["enums"]:
            for value in enum["values"]:
                self.places[value["name"]] = (page_name(enum["header"]), enum["name"])
        self.headers = {}
        for kind in KINDS:
            for entry in api[kind]:
                self.headers.setdefault(entry["header"], []).append((kind, entry))

    def linked(self, text, own=None):
        """Escaped text in which the names of the interface are links."""
        def place(match):
            name = match.group(0)
            if name == own or name not in self.places:
                return name
            page, anchor = self.places[name]
            return f'<a href="../{page}#{anchor}">{name}</a>'

        text = re.sub(r"\b(?:sn|SN)_\w+", place, html.escape(text, quote=False))
        return re.sub(r"`([^`\n]+)`", r"<code>\1</code>", text)

    def prose(self, text, own=None):
        """Comments keep their paragraphs; what is indented or lined up stays as it is."""
        out = []
        for block in re.split(r"\n\s*\n", text):
            lines = block.split("\n")
            as_is = any(re.match(r"\s{2,}\S", line) or re.search(r"\S {2,}\S", line)
                        for line in lines)
            tag = ("<pre>", "</pre>") if as_is else ("<p>", "</p>")
            if block.strip():
                out.append(tag[0] + self.linked(block, own) + tag[1])
        return "\n".join(out)

    @staticmethod
    def typed(value, name):
        """A declaration of C."""
        stars = "*" * value["pointer"]
        tail = "".join(f"[{n}]" for n in value["array"])
        if stars and tail:
            name = f"({stars}{name})"
        else:
            name = stars + name
        const = "const " if value["const"] else ""
        return f'{const}{value["type"]} {name}{tail}'.rstrip()

    def signature(self, entry):
        given = [self.typed(p, p["name"]) for p in entry["parameters"]] or ["void"]
        head = self.typed(entry["returns"], entry["name"])
        whole = f"{head}({', '.join(given)});"
        if len(whole) > 88:
            whole = head + "(\n    " + ",\n    ".join(given) + ");"
        return f"<pre class=\"c\"><code>{self.linked(whole, entry['name'])}</code></pre>"

    # ---- Entries ----

    def functions(self, entry):
        return self.signature(entry)

    callbacks = functions

    def structs(self, entry):
        if not entry["fields"]:
            return ""
        rows = []
        for field in entry["fields"]:
            said = field["doc"]
            if field.get("choices"):
                said += " One of " + ", ".join(map(str, field["choices"])) + "."
            rows.append((f'<code>{html.escape(field["name"])}</code>',
                         self.linked(self.typed(field, "")), html.escape(str(field.get("unit") or "")),
                         self.default(field), self.linked(said)))
        head = ("field", "type", "unit", "default", "meaning")
        used = [k for k in range(5) if any(row[k] for row in rows)]
        line = lambda cell, row: "<tr>" + "".join(f"<{cell}>{row[k]}</{cell}>" for k in used) + "</tr>"
        return ('<div class="table"><table>' + line("th", head) +
                "".join(line("td", row) for row in rows) + "</table></div>")

    @staticmethod
    def default(field):
        if field.get("automatic"):
            return "automatic"
        value = field.get("default")
        if isinstance(value, float) and value > 3e38:
            return "none"
        return "" if value is None else f"<code>{html.escape(str(value))}</code>"

    def enums(self, entry):
        items = "".join(
            f'<li><code>{v["name"]}</code>{": " + self.linked(v["doc"]) if v["doc"] else ""}</li>'
            for v in entry["values"])
        return f"<ul>{items}</ul>"

    # ---- Pages ----

    def header_page(self, header, path):
        out = [f'<h1 id="top">&lt;{header}&gt;</h1>', self.prose(header_text(path))]
        out.append('<p class="names">' + " ".join(
            f'<a href="#{e["name"]}">{e["name"]}</a>' for _, e in self.headers[header]) + "</p>")
        for kind, entry in self.headers[header]:
            out.append(f'<h2 id="{entry["name"]}">{entry["name"]}</h2>')
            out.append(getattr(self, kind)(entry))
            out.append(self.prose(entry["doc"], entry["name"]))
        return "\n".join(out)

    def index_page(self, root):
        out = ['<h1 id="top">Reference of the C interface</h1>',
               "<p>Made from the headers. Every function that can fail returns an "
               f'{self.linked("sn_result")}; every definition has a function that fills in its '
               "defaults.</p>"]
        for library, said in LIBRARIES.items():
            out.append(f'<h2 id="{library}">{library}</h2><p>{said}</p><dl class="headers">')
            for header in sorted(h for h in self.headers if h.split("/")[0] == library):
                text = first_sentence(header_text(root / "include" / header))
                out.append(f'<dt><a href="../{page_name(header)}">{header}</a></dt>'
                           f"<dd>{self.linked(text)}</dd>")
            out.append("</dl>")
        return "\n".join(out)


# ---- Python ----


def call_text(function):
    text = ast.unparse(function.args)
    back = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{function.name}({text}){back}"


def python_class(reference, node, out, module):
    out.append(f'<h3 id="{module}.{node.name}">{module}.{node.name}</h3>')
    doc = ast.get_docstring(node)
    if doc:
        out.append(reference.prose(doc))
    fields = [ast.unparse(item) for item in node.body if isinstance(item, ast.AnnAssign)]
    calls = [item for item in node.body if isinstance(item, ast.FunctionDef)
             and (item.name == "__init__" or not item.name.startswith("_"))]
    if fields:
        out.append("<pre class=python><code>" + html.escape("\n".join(fields)) + "</code></pre>")
    if calls:
        out.append("<dl>")
        for item in calls:
            said = html.escape(ast.get_docstring(item) or "")
            out.append(f"<dt><code>{html.escape(call_text(item))}</code></dt><dd>{said}</dd>")
        out.append("</dl>")


def python_page(reference, sources):
    """Classes and functions of Python sources: (name of the module, text), ..."""
    out = ['<h1 id="top">Reference of the Python package</h1>',
           '<p>What <a href="../docs/python.html">the guide</a> shows, class by class. '
           "<code>sinew.c</code> has every function and struct of the C interface.</p>"]
    for module, text in sources:
        tree = ast.parse(text)
        out.append(f'<h2 id="{module}">{module}</h2>')
        if ast.get_docstring(tree):
            out.append(reference.prose(ast.get_docstring(tree)))
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                python_class(reference, node, out, module)
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                out.append(f'<h3 id="{module}.{node.name}">{module}.{node.name}</h3>'
                           f"<pre class=python><code>{html.escape(call_text(node))}</code></pre>")
                out.append(reference.prose(ast.get_docstring(node) or ""))
    return "\n".join(out)
