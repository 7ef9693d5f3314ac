#!/usr/bin/env python3
"""Plants small errors in the library, one at a time, and says which of them no test notices.

    mutants.py [--count N] [--seed N] [--only FILE] [--jobs N] [--minutes N] [--result FILE]
    mutants.py --list              what would be planted
    mutants.py --again FILE        once more what survived by an earlier result file
    mutants.py --self-test         also whether every excuse still fits a line of the sources

Hashes of earlier runs are not compared: they notice everything and say nothing. What excused.txt
has is not planted; in earlier results it is listed apart. A result file that is there is gone on
with. Whoever was not asked about by all tests that reach it is undecided, and counts for nothing.
Exits with 1 where more than one in twenty survives without an excuse.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import shutil
import sys
import threading
import time

import operators
import planting
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

class Run:
    """Plants what it is given and keeps what becomes of it: first one error at a time and the tests
    that most likely notice it, then many together and all tests."""

    def __init__(self, tests, arguments, known):
        self.tests, self.arguments, self.known = tests, arguments, known
        self.planting = planting.Planting(tests)
        self.end = time.monotonic() + 60 * arguments.minutes
        self.lock, self.alive = threading.Lock(), []

    # ---- Time ----

    def seconds_left(self):
        return self.end - time.monotonic()

    def is_late(self):
        return self.seconds_left() < 0

    def is_full(self):
        """Whether the time that is left is needed for those that are alive."""
        groups = 1 + len(self.groups())
        work = sum(self.tests.seconds[name] for name in self.tests.tests)
        return self.seconds_left() < 20 + 1.5 * groups * work / self.arguments.jobs

    def groups(self):
        return planting.grouped(list(self.alive), self.planting.outputs_of,
                                self.arguments.together)

    # ---- One at a time ----

    def keep(self, mutant, status, **more):
        entry = {"key": operators.key(mutant), "status": status, **mutant._asdict(), **more}
        with self.lock:
            self.known[entry["key"]] = entry
            if self.arguments.result:
                with open(self.arguments.result, "a", encoding="utf-8") as file:
                    file.write(json.dumps(entry) + "\n")

    def notice(self, mutant, name, why):
        self.tests.count_kill(mutant, name)
        self.keep(mutant, "killed", by=name, why=why)

    def ask(self, mutant, folder, types):
        """Whether a test notices it before patience is at its end."""
        spent = 0
        for name in self.tests.in_order(mutant, types):
            if spent > self.arguments.patience or self.is_late():
                break
            told = self.tests.told(name, types)
            seconds, why = self.tests.run(name, folder, self.tests.limit(name), **told)
            spent += seconds
            if why:
                self.notice(mutant, name, why)
                return True
        return False

    def try_one(self, mutant):
        """What becomes of it, or None where it stays alive. An error that is in many objects is
        planted in some first, in which tests have less to look at."""
        for outputs in (self.planting.few_of(mutant), self.planting.outputs_of(mutant)):
            folder, status = self.planting.library([mutant], outputs)
            if status == "the same code":
                continue
            if status:
                break
            found = self.ask(mutant, folder, self.tests.types_of(mutant, outputs))
            shutil.rmtree(folder)
            return "killed" if found else None
        self.keep(mutant, status)
        return status

    def first(self, candidates):
        """The first of a stretch of source that can be built."""
        for mutant in candidates:
            known = self.known.get(operators.key(mutant), {"status": "undecided"})["status"]
            if known not in (*NOT_COUNTED, "undecided") or self.is_full():
                return
            if known in NOT_COUNTED:
                continue
            if not self.tests.names_of(mutant):
                self.keep(mutant, "unreached", asked=0, of=0)
                return
            # What was alive before is soon asked about by all tests.
            status = None if self.arguments.again else self.try_one(mutant)
            if not status:
                self.alive.append(mutant)
            if status not in NOT_COUNTED:
                return

    # ---- Many together ----

    def run(self, name, members, folder, sanitized):
        """Why a test fails with several errors, or None; "late" where there was no time for it."""
        if self.is_late():
            return "late"
        if sanitized:
            return self.tests.run_sanitized(name, folder)[1]
        types = [self.tests.types_of(one, self.planting.outputs_of(one)) for one in members
                 if name in self.tests.names_of(one)]
        told = self.tests.told(name, set().union(*types)) if all(types) else {}
        return self.tests.run(name, folder, self.tests.limit(name), **told)[1]

    def fails(self, name, members, sanitized):
        folder, status = self.planting.library(members, sanitized=sanitized)
        if status:
            return None
        why = self.run(name, members, folder, sanitized)
        shutil.rmtree(folder)
        return why

    def blame(self, name, members, sanitized):
        """Who of them it is for whom a test fails; whoever is left."""
        why = self.fails(name, members, sanitized) if members else None
        if not why or why == "late":
            return members, why
        for mutant, reason in planting.culprits(
                members, why, lambda some: self.fails(name, some, sanitized)):
            if reason != "late":
                self.notice(mutant, name, reason)
                members = [one for one in members if one != mutant]
        return members, "late" if self.is_late() else None

    def ask_together(self, pool, members, names, sanitized=False):
        """Runs tests with all of the errors; who is left, and which tests have been asked."""
        shares = self.planting.shares(members, few=sanitized)
        list(pool.map(lambda share: self.planting.object(*share, sanitized), shares.items()))
        folder, status = self.planting.library(members, sanitized=sanitized)
        if status:
            return members, set(names) if status == "the same code" else set()
        found = dict(zip(names, pool.map(
            lambda name: self.run(name, members, folder, sanitized), names)))
        asked = {name for name in names if found[name] != "late"}
        for name in names:
            if found[name] and found[name] != "late":
                members, why = self.blame(name, members, sanitized)
                asked -= {name} if why == "late" else set()
        return members, asked

    def quickest(self, members):
        """The tests for whom there is patience where each step takes longer."""
        names = set().union(*(self.tests.names_of(one) for one in members))
        spent, found = 0, []
        for name in sorted(names, key=lambda name: self.tests.seconds[name]):
            spent += self.tests.seconds[name]
            if spent < self.arguments.patience:
                found.append(name)
        return found

    def decide(self, pool, members):
        """All tests that reach one of them, and the quickest once more with sanitizers, as they are
        in the plain run of the tests."""
        names = {one: self.tests.names_of(one) for one in members}
        # The longest first, so that none is waited for.
        every = sorted(set().union(*names.values()), key=lambda name: -self.tests.seconds[name])
        members, asked = self.ask_together(pool, members, every)
        if members and not self.is_late():
            members, _ = self.ask_together(pool, members, self.quickest(members), True)
        for one in members:
            status = "undecided" if names[one] - asked or self.is_late() else "survived"
            self.keep(one, status, asked=len(names[one] & asked), of=len(names[one]))

    def all(self, drawn):
        jobs = self.arguments.jobs
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool, \
                concurrent.futures.ThreadPoolExecutor(3) as leaders:
            list(pool.map(self.first, drawn))
            print(f"mutants: {len(self.alive)} are asked about by all tests, "
                  f"{max(0, self.seconds_left()):.0f} s left", flush=True)
            list(leaders.map(lambda members: self.decide(pool, members), self.groups()))


# ---- Reporting ----

def describe(entry):
    asked = f"{entry['asked']} of {entry['of']} tests asked" if entry.get("of") else \
        "no test reaches it"
    return (f"{entry['path']}:{entry['line']}: {entry['operator']} ({asked})\n"
            f"  - {entry['original']}\n  + {entry['mutated']}")


def report(entries, excuses):
    """Prints what survived; whether that is few enough."""
    open_ones = [entry for entry in entries if entry["status"] == "undecided"]
    counted = [entry for entry in entries if entry["status"] not in (*NOT_COUNTED, "undecided")]
    alive = [entry for entry in counted if entry["status"] != "killed"]
    excused = {entry["key"]: excuse for entry in alive
               if (excuse := excuse_of(excuses, as_mutant(entry)))}
    for entry in sorted(alive, key=lambda entry: (entry["path"], entry["line"])):
        print(describe(entry))
        if entry["key"] in excused:
            print(f"  excused: {excused[entry['key']].reason}")
    left = len(alive) - len(excused)
    same = sum(entry["status"] == "the same code" for entry in entries)
    for entry in sorted(open_ones, key=lambda entry: (entry["path"], entry["line"])):
        print(f"undecided: {describe(entry)}")
    share = 100 * (len(counted) - left) / max(1, len(counted))
    print(f"{len(counted)} errors: {len(counted) - len(alive)} noticed, {len(excused)} excused, "
          f"{left} not noticed ({share:.0f} % noticed or excused); beside them {len(open_ones)} "
          f"undecided, since not all tests were asked, and {same} that made no difference to the "
          "code")
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
                 if entry["status"] in ("survived", "unreached", "undecided")}
        return [[mutant] for mutant in some if operators.key(mutant) in alive]
    return operators.draw(some, arguments.count, arguments.seed) if some else []


def self_test():
    text = "# why\n\nf.c\n- a < b\n+ a > b\nreason\nand more\n\nf.c\n- c\n+ *\nreason\n\n" \
        "f.c\n= e f\nreason\n"
    mutant = operators.Mutant("f.c", 1, 1, "f", "comparison", "a < b", "a > b")
    excuses = list(read_excuses(text))
    good = operators.self_test() and planting.self_test()
    good &= [fits(excuse, mutant) for excuse in excuses] == [True, False, True]
    good &= suite.kinship("src/contact/surface/self_contact.c", "scenes_contacts") == 1
    good &= suite.kinship("src/step/wake.c", "contact_rigid") == 0
    good &= suite.kinship("src/contact/untangle/untangle_pull.c", "contact_untangling") == 1
    good &= suite.kinship("src/collision/ccd/exact_sign.c", "ccd_crossings") == 1
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
    parser.add_argument("--patience", type=float, default=8,
                        help="seconds of tests for each, before all tests are asked about many")
    parser.add_argument("--together", type=int, default=16,
                        help="how many are planted at once where most are noticed by no test")
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
