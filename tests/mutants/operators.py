"""Small errors that can be planted in the sources: which there are, and where.

An error changes one line. Left alone are comments, strings and the preprocessor, messages and
checks of what callers give, and how much memory is had and how it is given back, where sanitizers
are the judges. So is what can change no answer: how many pieces of work are worth a thread, what is
brought from memory or a device before it is needed, which timer counts, whether what is done for
all of nothing is left out, how often what converges is gone over, and the size of margins and of
what stands for rounding.
"""

import collections
import hashlib
import os
import re
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
sys.path.insert(0, os.path.join(ROOT, "tests/structure"))

from tree import functions, read_tree, without_comments  # noqa: E402

FOLDERS = ("src/constraints", "src/contact", "src/systems", "src/step", "src/fracture",
           "src/collision/narrow_phase", "src/collision/ccd", "src/collision/shapes")
ENDINGS = (".c", ".h", ".inl")
SNAPSHOTS = re.compile(r"/serialize_\w+\.c$")
LEFT_ALONE = re.compile(
    r"SN_ERROR|sn_fail|sn_error|\bassert|sn_world_say|reserve|capacity|sizeof|sn_last_error|"
    r"sn_memory|_Static_assert|_free\(|\brelease\(|_ALONE\b|\bgrown [>=]+ 0|sn_slots_needed|"
    r"\bROOM\(|(?<![>.])\bfetch\(|__builtin_prefetch|sn_schedule_charge|sn_offload_")

# `nth` tells apart lines of a file that read the same.
Mutant = collections.namedtuple("Mutant", "path line nth function operator original mutated")

SWAPPED = {
    "+": "-", "-": "+", "*": "/", "/": "*", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=",
    "|=": "&=", "&=": "|=", "<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "!=", "!=": "==",
    "&&": "||", "||": "&&",
}
# Formatted as the sources are, an operator between two operands has a blank on both sides.
BINARY = re.compile(r"(?<= )(?:[-+*/|&]=|[<>=!]=|&&|\|\||[-+*/<>])(?= |$)")
COMPARES = ("<", ">", "<=", ">=", "==", "!=")
MINUS = re.compile(r"(?<=[(\[{])-(?=[\w(])|(?<=[,=?:*/+] )-(?=[\w(])|(?<=return )-(?=[\w(])")
NOT = re.compile(r"!(?=[\w(])")
REAL = re.compile(r"(?<![\w.])(?:\d+\.\d*|\.\d+)(?:e[-+]?\d+)?(?![\w.])")
WHOLE = re.compile(r"(?<![\w.\[-])\d+(?![\w.\]])")
EXTREME = re.compile(r"(?:(?<![a-z])|(?<=\bf)|(?<=_f))(?:min|max)(?=\()")
PART = r"(?:[^,{}()]|\((?:[^()]|\([^()]*\))*\))+"
PAD = re.compile(rf"\{{(?:{PART}, ){{3}}\d+\}}$|\w\[3\] = \d+;$")
COMPONENT = re.compile(r"(?<=\.)[xyz]\b|(?<=\w\[)[0-3](?=\])")
TRUTH = re.compile(r"\b(?:true|false)\b")
NEXT = {"x": "y", "y": "z", "z": "x", "0": "1", "1": "2", "2": "0", "3": "2"}
# Guards against divisions by zero, and tolerances for rounding; 3 % of such a number say nothing.
SMALLEST = 1e-4
SMALL = re.compile(r"(?:[-+] )?(?<![\w.])(?:SN_R\()?(\d+(?:\.\d*)?e-\d+)\)?")
# A loop over nothing does nothing.
NOTHING = re.compile(r"if \((?!node->)(?:[\w>.-]*(?:->|\.|_))?(?:count|total|live|found|places|"
                     r"triangles|members|bodies|copies|corners|nodes|kept) == 0\) "
                     r"(?:return(?: SN_OK| true)?|continue);$")
# How often something is gone over that comes nearer each time is a choice, as is one time more.
OFTEN = re.compile(r"for \(int (round|attempt|sweep) = (\d+); (?:\1 < (?:\w+ \+ )?(\d+)\b)?")
# What is called so is larger than it need be.
# The fewest items that threads share come third.
SHARED = re.compile(r"sn_team_run\([\w.>-]+, (?:[^,()]|\([^()]*\))+, (\d+)(?=,)")
NUMBERS = r"(?:sn_real|double|float|sn_lane|sn_v4)"
# What is called so is larger than it need be, and 3 % more of it says nothing.
MARGIN = re.compile(rf"^\s*(?:const )?{NUMBERS} (?:margin|bound|tiny|slack|tolerance) = ")
GIVEN = re.compile(rf"^\s*(?:const )?{NUMBERS} \w+ = ([^,{{}};]+|[^{{}};,]*\([^{{}};]*\));$")
RETURNED = re.compile(r"^\s*return ([^{};]+);$")
DECLARED = re.compile(r"^\s*(?:const |struct )*\w+ +\**\w+")
STATEMENT = re.compile(r"^\s*(?:\(\*|\*|\+\+|--)?\w[^;{}]*(?:=[^=]|\)|\+\+|--)[^;{}]*;$|"
                       r"^\s*\w[^;{}]*(?:\)|\+\+|--);$")


def replaced(operator, match, text):
    return operator, match.start(), match.end(), text


def in_tokens(code):
    """Errors of one token of a line of code: operator, where it begins and ends, and the text."""
    is_loop = re.match(r"\s*(?:\} )?for \(", code)
    for match in BINARY.finditer(code):
        if not (is_loop and match[0] in COMPARES):
            name = "comparison" if match[0] in COMPARES else "operation"
            yield replaced(name, match, SWAPPED[match[0]])
    for match in MINUS.finditer(code):
        yield replaced("sign", match, "")
    for match in NOT.finditer(code):
        yield replaced("negation", match, "")
    for match in REAL.finditer(code):
        if float(match[0]) >= SMALLEST:
            yield replaced("number", match, f"{1.03 * float(match[0]):#.9g}")
    for match in WHOLE.finditer(code):
        # What a comparison for sorting returns counts by its sign alone, and of the four numbers of
        # a vector in space the last is a pad.
        sorts = "-1" in code and re.search(r"\? -1 : $|\? $", code[:match.start()])
        if not sorts and not PAD.search(code[:match.end() + 1]):
            yield replaced("number", match, str(int(match[0]) + 1))
    for match in EXTREME.finditer(code):
        yield replaced("extreme", match, "max" if match[0] == "min" else "min")
    declared = code.find(" = ") if DECLARED.match(code) else 0
    for match in COMPONENT.finditer(code, declared if declared >= 0 else len(code)):
        yield replaced("component", match, NEXT[match[0]])
    for match in TRUTH.finditer(code):
        yield replaced("truth", match, "false" if match[0] == "true" else "true")


def end_of_product(code, at):
    """Where the factors end that a number is multiplied by, which ends at `at`."""
    while code.startswith(" * ", at):
        at += 3
        depth = 0
        while at < len(code) and (depth > 0 or code[at] not in " ,;)"):
            depth += (code[at] in "([{") - (code[at] in ")]}")
            at += 1
    return at


def in_vain(code):
    """Stretches of a line in which errors change no answer, and which operators they are."""
    for match in SMALL.finditer(code):
        if float(match[1]) < SMALLEST:
            yield match.start(), end_of_product(code, match.end()), "+-"
    for match in SHARED.finditer(code):
        yield match.start(1), match.end(1), ""
    for match in OFTEN.finditer(code):
        yield match.start(2), match.end(2), ""
        yield match.start(3), match.end(3), ""


def is_in_vain(stretches, code, begin, end):
    """Whether an error lies in one of them. A product that becomes a quotient is no rounding."""
    token = code[begin:end]
    return any(first <= begin and end <= last and (not signs or token not in ("*", "/"))
               for first, last, signs in stretches)


def is_balanced(text):
    return text.count("(") == text.count(")")


def in_lines(code, before, returns_number):
    """Errors of a whole statement: 3 % too much, or left out."""
    given = GIVEN.match(code) or (returns_number and RETURNED.match(code))
    if given and is_balanced(given[1]) and not MARGIN.match(code):
        tiny = any(first == given.start(1) and last == given.end(1)
                   for first, last, _ in in_vain(code))
        if not tiny:
            yield "scale", given.start(1), given.end(1), f"(sn_real)1.03 * ({given[1]})"
    begins = (not before or before[-1] in ";{}:)") and not PAD.search(code)
    begins = begins and not NOTHING.match(code.strip()) and not RETURNED.match(code)
    if begins and STATEMENT.match(code) and not DECLARED.match(code) and is_balanced(code):
        indent = len(code) - len(code.lstrip())
        yield "omission", indent, len(code), ";"


def without_rest(text):
    """The code alone, in the same places: comments, strings and the preprocessor are blank."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match[0])

    code = re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, without_comments(text))
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, code, flags=re.M)


def places(text):
    """The lines where errors are planted: in functions, and numbers that have a name."""
    lines = text.split("\n")
    for name, first, count in functions(text):
        if re.fullmatch(r"sn_\w+(?<!_is)_free", name):
            continue
        head = " ".join(lines[max(0, first - 1):first])
        is_number = re.match(rf"(?:static |SN_INLINE |const )*{NUMBERS} \w+\(", head)
        for number in range(first, first + count):
            if number > first or "{" not in lines[number - 1]:
                yield number, name, bool(is_number)
    for number, line in enumerate(lines, 1):
        if re.match(rf"static const {NUMBERS} \w+ = ", line):
            yield number, "", False


def is_message(lines, code, number):
    """Whether a line goes on with what a message is told. Its strings are blank in the code."""
    i = number - 2
    while i >= 0 and lines[i].strip() and not code[i].strip().endswith((";", "{", "}")):
        if "sn_fail(" in code[i]:
            return True
        i -= 1
    return False


def mutants_of(path, text):
    lines, code = text.split("\n"), without_rest(text).split("\n")
    for number, function, returns_number in places(text):
        line, bare = lines[number - 1], code[number - 1].rstrip()
        if not bare or bare.endswith("\\") or LEFT_ALONE.search(line):
            continue
        if is_message(lines, code, number):
            continue
        before = next((code[i].strip() for i in range(number - 2, -1, -1) if code[i].strip()), "")
        nth = lines[:number].count(line)
        vain = list(in_vain(bare))
        found = [one for one in in_tokens(bare) if not is_in_vain(vain, bare, one[1], one[2])]
        found += in_lines(bare, before, returns_number)
        for operator, begin, end, put in found:
            mutated = line[:begin] + put + line[end:]
            yield Mutant(path, number, nth, function, operator, line.strip(), mutated.strip())


def all_mutants(root):
    """Of the whole tree, in its order, each once."""
    found = {}
    for path, text in sorted(read_tree(root, FOLDERS).items()):
        if path.endswith(ENDINGS) and not SNAPSHOTS.search(path):
            for mutant in mutants_of(path, text):
                found.setdefault(key(mutant), mutant)
    return list(found.values())


def key(mutant):
    """What it is, wherever lines above it move it."""
    text = "\n".join(map(str, (mutant.path, mutant.nth, mutant.original, mutant.mutated)))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def extent(mutant):
    """The first line of the function that it is in, and how many there are."""
    with open(os.path.join(ROOT, mutant.path), encoding="utf-8") as file:
        for name, first, count in functions(file.read()):
            if name == mutant.function and first <= mutant.line < first + count:
                return first, count
    return mutant.line, 1


def draw(mutants, count, seed):
    """So many, spread evenly over the sources; in an order of which each part is spread as well,
    with the others of their stretch of source behind, for where one cannot be built."""
    def rank(mutant):
        return hashlib.sha256(f"{seed} {key(mutant)}".encode()).digest()

    count = min(count, len(mutants))
    stretches = [mutants[len(mutants) * i // count:len(mutants) * (i + 1) // count]
                 for i in range(count)]
    return sorted((sorted(some, key=rank) for some in stretches), key=lambda some: rank(some[0]))


def planted(text, mutant):
    """The source with the error in it."""
    lines = text.split("\n")
    line = lines[mutant.line - 1]
    assert line.strip() == mutant.original, (mutant, line)
    lines[mutant.line - 1] = line.replace(mutant.original, mutant.mutated)
    return "\n".join(lines)


def self_test():
    text = """/* a - b */
static sn_real f(const sn_real *a, sn_v4 b) {
    sn_real c = a[0] + 0.5 * b.x;
    if (c < 2) return sn_fail(SN_ERROR_VALUE, "c - 2");
    if (a[0] > c)
        return sn_fail(SN_ERROR_VALUE,
                       "%g",
                       c + 2);
    for (int i = 0; i < 3; i++) c -= -a[i];
    *a = c; /* a < b */
    c[3] = 0;
    if (a->count == 0) return;
    if (c->size == 0) return;
    sn_team_run(a->team, g(b), 2, f, a);
    e += 1e-6 * (a[0] + c);
    d = c + SN_R(1e-9);
    sn_real least = 1e-6 * fmax(c, e);
    for (int round = 0; round < n + 2; round++) c += b.x;
    fetch(c - 1);
    sn_real margin = 3 * c;
    return fmin(c, !c);
}

void sn_f_free(f *a) {
    *a = (f){0};
}
"""
    expected = {
        "sn_real c = a[0] - 0.5 * b.x;", "sn_real c = a[0] + 0.5 / b.x;",
        "sn_real c = a[0] + 0.515000000 * b.x;", "sn_real c = a[1] + 0.5 * b.x;",
        "sn_real c = a[0] + 0.5 * b.y;", "sn_real c = (sn_real)1.03 * (a[0] + 0.5 * b.x);",
        "for (int i = 0; i < 3; i++) c += -a[i];", "for (int i = 0; i < 3; i++) c -= a[i];",
        "for (int i = 1; i < 3; i++) c -= -a[i];", "for (int i = 0; i < 4; i++) c -= -a[i];",
        "; /* a < b */", "c[2] = 0;", "if (a[0] < c)", "if (a[1] > c)",
        "if (a->count != 0) return;", "if (a->count == 1) return;", "if (c->size != 0) return;",
        "if (c->size == 1) return;", ";",
        "e -= 1e-6 * (a[0] + c);", "e += 1e-6 / (a[0] + c);",
        "sn_real least = 1e-6 / fmax(c, e);", "sn_real margin = 4 * c;", "sn_real margin = 3 / c;",
        "for (int round = 0; round < n - 2; round++) c += b.x;",
        "for (int round = 0; round < n + 2; round++) c -= b.x;",
        "for (int round = 0; round < n + 2; round++) c += b.y;",
        "return fmax(c, !c);", "return fmin(c, c);", "return (sn_real)1.03 * (fmin(c, !c));",
    }
    found = {mutant.mutated for mutant in mutants_of("f.c", text)}
    for line in sorted(found ^ expected):
        print(f"{'not expected' if line in found else 'missing'}: {line}")
    return found == expected
