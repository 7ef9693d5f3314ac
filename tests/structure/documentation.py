"""The rule that everything public has a comment, and every number a unit."""

import re

from tree import PUBLIC, code_files, comments_only, without_comments

UNIT = re.compile(
    r"(?<![\w.])(?:m|kg|s|N|J|Pa|rad|1|m/s|m/s\^2|1/s|1/kg|m\^2|m\^3|N/m|N s|N m|J/C|"
    r"kg m/s|kg m\^2/s|C\^2/J|J s/C\^2|bytes|seconds?|metres?|units?)(?![\w^])"
)
REAL = re.compile(r"^\s*(?:const\s+)?(sn_real|sn_vec3|sn_vec4|double|float)\b[\s*]*(\w[^;(]*);")
MEMBER = re.compile(
    r"^\s*(?:const\s+)?(?:struct\s+)?[A-Za-z_]\w*[\s*]+\w[^;()]*;|^\s*[^;]*\(\*\w+\)"
)
ENUMERATOR = re.compile(r"^\s*([A-Z]\w*)\s*(?:=|,|$)")


class Header:
    """A header as lines, with what comments say beside and above each."""

    def __init__(self, text):
        self.lines = text.split("\n")
        self.code = without_comments(text).split("\n")
        self.notes = comments_only(text).split("\n")
        self.all_notes = "\n".join(self.notes)

    def is_blank(self, i):
        return self.lines[i].strip() == ""

    def is_note(self, i):
        return self.code[i].strip() == "" and self.notes[i].strip() != ""

    def beside(self, i):
        """The comment that begins on the line and goes on below it, or stands right above it."""
        text = self.notes[i]
        if text.strip() and "*/" not in text:
            j = i + 1
            while j < len(self.lines) and self.is_note(j):
                text += " " + self.notes[j]
                j += 1
        return text

    def above(self, i):
        """The comment that ends on the line before."""
        text = ""
        j = i - 1
        while j >= 0 and self.is_note(j):
            text = self.notes[j] + " " + text
            j -= 1
        return text

    def in_paragraph(self, i):
        """Whether a comment stands before the line, or on it, without a blank line between."""
        j = i
        while j >= 0 and not self.is_blank(j):
            if self.notes[j].strip():
                return True
            j -= 1
        return False

    def heading(self, i):
        """The comment directly above a declaration, headings of sections left out."""
        text = self.above(i)
        return "" if re.match(r"\s*/\* ---- ", text) else text


def body_lines(header, start):
    """The lines between the braces of a declaration that begins at `start`."""
    i = start
    while "{" not in header.code[i]:
        i += 1
    lines = []
    depth = header.code[i].count("{") - header.code[i].count("}")
    while depth > 0:
        i += 1
        depth += header.code[i].count("{") - header.code[i].count("}")
        if depth > 0:
            lines.append(i)
    return lines


def check_struct(header, path, start, name, wrong):
    heading = header.heading(start)
    lines = [i for i in body_lines(header, start) if MEMBER.match(header.code[i])]
    names = ";".join(header.code[i] for i in lines)
    # A vector has the unit of what it is used for.
    is_vector = re.fullmatch(r"[\s;]*sn_real x, y, z(, w)?[\s;]*", names) is not None
    for i in lines:
        note = header.beside(i) + header.above(i)
        if not note.strip() and not heading.strip():
            wrong.append((path, i + 1, f"a member of {name} has no comment"))
        elif REAL.match(header.code[i]) and not is_vector and not UNIT.search(note + heading):
            wrong.append((path, i + 1, f"a number in {name} has no unit in its comment"))


def check_enum(header, path, start, name, wrong):
    heading = header.heading(start)
    for i in body_lines(header, start):
        if ENUMERATOR.match(header.code[i]) and not header.in_paragraph(i):
            if not (heading.strip() or (header.beside(i) + header.above(i)).strip()):
                wrong.append((path, i + 1, f"a value of {name} has no comment"))


def rule_documentation(tree):
    """Everything public has a comment, and every number a unit."""
    wrong = []
    headers = {
        path: Header(text)
        for path, text in code_files(tree)
        if path.startswith(PUBLIC)
        and not path.endswith("/list.h")
    }
    all_notes = "\n".join(header.all_notes for header in headers.values())
    for path, header in headers.items():
        text = "\n".join(header.code)
        undone = set(re.findall(r"#\s*undef\s+(\w+)", text))
        documented = set()
        i = 0
        while i < len(header.code):
            code = header.code[i]
            spoken = header.in_paragraph(i)
            match = re.match(r"\s*#\s*define\s+(\w+)", code)
            if match:
                name = match.group(1)
                guard = re.fullmatch(r"SINEW_\w+_H", name)
                if spoken or re.search(rf"\b{name}\b", all_notes):
                    documented.add(name)
                elif not guard and name not in undone and name not in documented:
                    wrong.append((path, i + 1, f"macro {name} has no comment"))
                    documented.add(name)
                while header.code[i].endswith("\\"):
                    i += 1
            match = re.match(r"typedef\s+(struct|enum)\s+(\w+)", code)
            if match:
                kind, name = match.groups()
                if not header.heading(i).strip() and not header.beside(i).strip():
                    wrong.append((path, i + 1, f"{kind} {name} has no comment above it"))
                if "{" in code:
                    check = check_struct if kind == "struct" else check_enum
                    check(header, path, i, name, wrong)
            match = re.match(r"typedef\s+[\w\s*]*?\b(sn_\w+)\s*\(", code)
            if match and not spoken:
                wrong.append((path, i + 1, f"function type {match.group(1)} has no comment"))
            match = re.match(r"SN_API\s.*?\b(sn_\w+)\s*\(", code)
            if match:
                name = match.group(1)
                if not spoken and not re.search(rf"\b{name}\b", all_notes):
                    wrong.append((path, i + 1, f"function {name} has no comment"))
            i += 1
    return wrong
