#!/usr/bin/env python3
"""Plants small errors in the library, one at a time, and says which of them no test notices.

    mutants.py [--count N] [--seed N] [--only FILE] [--jobs N] [--minutes N] [--result FILE]
    mutants.py --list              what would be planted
    mutants.py --again FILE        once more what survived by an earlier result file
    mutants.py --self-test         also whether every excuse still fits a line of the sources

Hashes of earlier runs are not compared: they notice everything and say nothing. What excused.txt
has is not planted; in earlier results it is listed apart. A result file that is there is gone on
with.
Exits with 1 where more than one in twenty survives without an excuse.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import queue
import re
import sys
import threading
import time

import operators
import suite

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_SURVIVE = 0.05
NOT_COUNTED = ("not compiled", "the same code", "no library")


# ---- Excuses ----

Excuse = collections.namedtuple("Excuse", "path functions original mutated reason")


def read_excuses(text):
    """Paragraphs of a path, "- " the line as it is, "+ " as it was planted, and the reason; "+ *"
    stands for any error of the line, and "= " functions for any error in one of them."""
    for part in text.split("\n\n"):
        lines = [line.strip() for line in part.split("\n") if line and not line.startswith("#")]
        if lines and lines[1][:2] == "= ":
            assert len(lines) > 2, part
            yield Excuse(lines[0], lines[1][2:].split(), "", "*", " ".join(lines[2:]))
        elif lines:
            assert len(lines) > 3 and lines[1][:2] == "- " and lines[2][:2] == "+ ", part
            yield Excuse(lines[0], [], lines[1][2:], lines[2][2:], " ".join(lines[3:]))


def fits(excuse, mutant):
    if excuse.path != mutant.path:
        return False
    return mutant.function in excuse.functions or (
        excuse.original == mutant.original and excuse.mutated in ("*", mutant.mutated))


def excuse_of(excuses, mutant):
    return next((excuse for excuse in excuses.get(mutant.path, ()) if fits(excuse, mutant)), None)


def by_path(excuses):
    found = collections.defaultdict(list)
    for excuse in excuses:
        found[excuse.path].append(excuse)
    return found


def stale(excuses, mutants):
    """Those that fit nothing, and those with a function that is not there."""
    there = collections.defaultdict(list)
    for mutant in mutants:
        there[mutant.path].append(mutant)

    def is_stale(excuse):
        names = {mutant.function for mutant in there[excuse.path]}
        return not names.issuperset(excuse.functions) or \
            not any(fits(excuse, one) for one in there[excuse.path])

    return [excuse for excuse in excuses if is_stale(excuse)]


# ---- Running ----

STRAYING = re.compile(r"\[|\bfor \(|\bmem(?:cpy|set)\(|\bu?int\d+_t\b|\bsize_t\b|count|"
                      r"->\w+ [-+]?= ")


GUARD = re.compile(r"(?:if|while) \(.*(?:return|continue|break)\b")


def may_stray(mutant):
    """Whether an error may read or write beside an array: it changes an index, a count, where
    something points, or who goes on to where they are."""
    if GUARD.match(mutant.original) and mutant.operator != "scale":
        return True
    return mutant.operator in ("number", "component", "operation", "comparison", "omission") and \
        STRAYING.search(mutant.original) is not None


class Run:
    """Plants what it is given and keeps what becomes of it."""

    def __init__(self, tests, arguments, known):
        self.tests, self.arguments = tests, arguments
        self.known, self.alive = known, []
        self.end = time.monotonic() + 60 * arguments.minutes
        self.folders = queue.Queue()
        for i in range(arguments.jobs):
            self.folders.put(os.path.join(tests.build, "planted", str(i)))
        self.lock = threading.Lock()

    def seconds_left(self):
        return self.end - time.monotonic()

    def is_late(self):
        return self.seconds_left() < 0

    def keep(self, mutant, status, **more):
        entry = {"key": operators.key(mutant), "status": status, **mutant._asdict(), **more}
        with self.lock:
            self.known[entry["key"]] = entry
            if self.arguments.result:
                with open(self.arguments.result, "a", encoding="utf-8") as file:
                    file.write(json.dumps(entry) + "\n")

    def ask(self, mutant, folder, names, patience):
        """Runs tests until one fails or the patience is at its end; those that were run."""
        asked, spent = [], 0
        for name in names:
            if spent > patience or self.is_late():
                break
            limit = 5 + 8 * self.tests.seconds[name]
            told = self.tests.narrowed(mutant, name)
            told = told if not told or self.tests.holds(name, told) else {}
            seconds, why = self.tests.run(name, folder, min(limit, self.seconds_left() + 5), **told)
            if self.is_late() and why == "does not end" and seconds < limit:
                break
            spent += seconds
            asked.append(name)
            if why:
                self.tests.count_kill(mutant, name)
                self.keep(mutant, "killed", by=name, why=why, asked=len(asked))
                return None
        return asked

    def first(self, candidates):
        """The first of a stretch of source that can be built, and the quickest tests."""
        folder = self.folders.get()
        try:
            for mutant in candidates:
                known = self.known.get(operators.key(mutant))
                if self.is_late() or (known and known["status"] not in NOT_COUNTED):
                    return
                if known:
                    continue
                names = self.tests.tests_of(mutant)
                status = self.tests.plant(mutant, folder)
                if status:
                    self.keep(mutant, status)
                    continue
                if not names:
                    self.keep(mutant, "unreached", asked=0, of=0)
                    return
                asked = self.ask(mutant, folder, names, self.arguments.patience)
                if asked is not None:
                    self.alive.append((mutant, asked, names))
                return
        finally:
            self.folders.put(folder)

    def is_sanitary(self, mutant, folder, names):
        """Whether the quickest tests notice nothing either where accesses to memory are judged, as
        they are in the plain run of the tests."""
        self.tests.sanitize(mutant, folder)
        spent = 0
        for name in sorted(names, key=lambda name: self.tests.seconds[name]):
            if spent > self.arguments.patience or self.is_late():
                break
            seconds, why = self.tests.run_sanitized(name, folder, 30 + 8 * self.tests.seconds[name])
            spent += seconds
            if why and why != "does not end":
                self.keep(mutant, "killed", by=name, why=why, asked=len(names))
                return False
        return True

    def judge(self, mutant, asked, names):
        """Sanitizers, which take less time than the tests for which there was no patience; whoever
        is left."""
        folder = self.folders.get()
        try:
            if self.is_late() or not may_stray(mutant):
                return mutant, asked, names
            self.tests.plant(mutant, folder)
            return (mutant, asked, names) if self.is_sanitary(mutant, folder, names) else None
        finally:
            self.folders.put(folder)

    def rest(self, mutant, asked, names):
        """The tests for which there was no patience, and whoever is left."""
        folder = self.folders.get()
        try:
            more = [name for name in names if name not in asked]
            if more and not self.is_late():
                self.tests.plant(mutant, folder)
                more = self.ask(mutant, folder, more, float("inf"))
                if more is None:
                    return
                asked = asked + more
            self.keep(mutant, "survived", asked=len(asked), of=len(names))
        finally:
            self.folders.put(folder)

    def all(self, drawn):
        with concurrent.futures.ThreadPoolExecutor(self.arguments.jobs) as pool:
            list(pool.map(self.first, drawn))
            alive = [some for some in pool.map(lambda some: self.judge(*some), self.alive) if some]
            # Those with the least left to ask come first: whoever is late misses the least by it.
            alive.sort(key=lambda some: sum(self.tests.seconds[name] for name in some[2]
                                            if name not in some[1]))
            list(pool.map(lambda some: self.rest(*some), alive))


# ---- Reporting ----

def describe(entry):
    asked = f"{entry['asked']} of {entry['of']} tests asked" if entry.get("of") else \
        "no test reaches it"
    return (f"{entry['path']}:{entry['line']}: {entry['operator']} ({asked})\n"
            f"  - {entry['original']}\n  + {entry['mutated']}")


def report(entries, excuses):
    """Prints what survived; whether that is few enough."""
    counted = [entry for entry in entries if entry["status"] not in NOT_COUNTED]
    alive = [entry for entry in counted if entry["status"] != "killed"]
    excused = {entry["key"]: excuse for entry in alive
               if (excuse := excuse_of(excuses, as_mutant(entry)))}
    for entry in sorted(alive, key=lambda entry: (entry["path"], entry["line"])):
        print(describe(entry))
        if entry["key"] in excused:
            print(f"  excused: {excused[entry['key']].reason}")
    left = len(alive) - len(excused)
    same = sum(entry["status"] == "the same code" for entry in entries)
    print(f"{len(counted)} errors: {len(counted) - len(alive)} noticed, {len(excused)} excused, "
          f"{left} not noticed; {same} more made no difference to the code")
    return left <= MOST_SURVIVE * len(counted)


def as_mutant(entry):
    return operators.Mutant(*(entry[name] for name in operators.Mutant._fields))


# ---- The command ----

def read_result(path):
    if not path or not os.path.exists(path):
        return {}
    return {entry["key"]: entry for entry in map(json.loads, suite.read(path).splitlines())}


def chosen(arguments, mutants):
    some = [mutant for mutant in mutants if mutant.path.startswith(arguments.only or "")]
    if arguments.again:
        alive = {name for name, entry in read_result(arguments.again).items()
                 if entry["status"] in ("survived", "unreached")}
        return [[mutant] for mutant in some if operators.key(mutant) in alive]
    return operators.draw(some, arguments.count, arguments.seed) if some else []


def self_test():
    text = "# why\n\nf.c\n- a < b\n+ a > b\nreason\nand more\n\nf.c\n- c\n+ *\nreason\n\n" \
        "f.c\n= e f\nreason\n"
    mutant = operators.Mutant("f.c", 1, 1, "f", "comparison", "a < b", "a > b")
    excuses = list(read_excuses(text))
    good = operators.self_test()
    good &= [fits(excuse, mutant) for excuse in excuses] == [True, False, True]
    good &= suite.kinship("src/contact/surface/self_contact.c", "scenes_contacts") == 1
    good &= suite.kinship("src/step/wake.c", "contact_rigid") == 0
    good &= suite.kinship("src/contact/untangle/untangle_pull.c", "contact_untangling") == 1
    good &= suite.kinship("src/collision/ccd/exact_sign.c", "ccd_crossings") == 1
    good &= may_stray(mutant._replace(original="if (!a) return b;", operator="negation"))
    good &= not may_stray(mutant) and may_stray(mutant._replace(original="a[i] < b"))
    good &= excuses[0].reason == "reason and more" and stale(excuses, [mutant]) == excuses[1:]
    good &= not stale(excuses[2:], [mutant, mutant._replace(function="e")])
    print("self-test " + ("passed" if good else "failed"))
    return good


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--count", type=int, default=300, help="how many are planted")
    parser.add_argument("--seed", type=int, default=1, help="which")
    parser.add_argument("--only", help="in files whose path begins so")
    parser.add_argument("--tests", default="", metavar="PATTERN", help="tests that are asked")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="how many at a time")
    parser.add_argument("--minutes", type=float, default=24 * 60, help="after which it ends")
    parser.add_argument("--patience", type=float, default=20,
                        help="seconds of tests for each, before any has more")
    parser.add_argument("--longest", type=float, default=60, help="seconds that a test may take")
    parser.add_argument("--build", default=os.path.join(operators.ROOT, "build/mutants"))
    parser.add_argument("--result", help="where results are kept, one per line, and gone on with")
    parser.add_argument("--again", metavar="FILE", help="a result file: plant what survived there")
    parser.add_argument("--list", action="store_true", help="say what would be planted")
    parser.add_argument("--self-test", action="store_true", help="look at itself and the excuses")
    return parser.parse_args()


def main():
    arguments = parse()
    if arguments.self_test and not self_test():
        return 1
    begin = time.monotonic()
    mutants = operators.all_mutants(operators.ROOT)
    excuses = list(read_excuses(suite.read(os.path.join(HERE, "excused.txt"))))
    old = stale(excuses, mutants)
    for excuse in old:
        said = excuse.original or " ".join(excuse.functions)
        print(f"excused.txt: nothing in {excuse.path} fits \"{said}\"")
    if arguments.self_test or old:
        return 1 if old else 0
    excuses = by_path(excuses)
    mutants = [mutant for mutant in mutants if not excuse_of(excuses, mutant)]
    drawn = chosen(arguments, mutants)
    if arguments.list:
        for mutant, *_ in drawn:
            print(f"{mutant.path}:{mutant.line}: {mutant.operator}\n  - {mutant.original}\n"
                  f"  + {mutant.mutated}")
        return 0
    tests = suite.Suite(os.path.abspath(arguments.build), arguments.jobs, arguments.tests)
    tests.make()
    tests.note(arguments.longest)
    spent = time.monotonic() - begin
    print(f"mutants: {len(drawn)} of {len(mutants)} errors, {len(tests.tests)} tests of "
          f"{sum(tests.seconds[name] for name in tests.tests):.0f} s, ready after {spent:.0f} s",
          flush=True)
    arguments.minutes -= spent / 60
    run = Run(tests, arguments, read_result(arguments.result))
    run.all(drawn)
    return 0 if report(run.known.values(), excuses) else 1


if __name__ == "__main__":
    sys.exit(main())
