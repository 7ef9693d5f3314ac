"""Libraries with one or several planted errors.

What is compiled for an error is kept, so that libraries with this or that part of many errors are
only linked anew.
"""

import collections
import concurrent.futures
import os
import shutil
import tempfile
import threading

import operators
from suite import read, write

SANITIZER = ("-fsanitize=address,bounds", "-fsanitize-undefined-trap-on-error")
# An error of a header that many include is first planted in so many of the objects.
FEW = 6


class Planting:
    """What is made of a build for the errors that are planted in it."""

    def __init__(self, suite):
        self.suite = suite
        self.place = os.path.join(suite.build, "planted")
        shutil.rmtree(self.place, ignore_errors=True)
        os.makedirs(self.place)
        self.sources, self.objects, self.lock = {}, {}, threading.Lock()

    def outputs_of(self, mutant):
        return self.suite.users[mutant.path]

    def few_of(self, mutant):
        """All objects, or some of many, which are enough where a test notices them."""
        every = sorted(self.outputs_of(mutant))
        return set(every[::max(1, len(every) // FEW)])

    def source(self, keys, mutants):
        """A folder with the files that have the errors."""
        with self.lock:
            folder = self.sources.get(keys)
            if folder:
                return folder
            folder = self.sources[keys] = tempfile.mkdtemp(dir=self.place)
            for path in {mutant.path for mutant in mutants}:
                text = read(os.path.join(operators.ROOT, path))
                for mutant in mutants:
                    text = operators.planted(text, mutant) if mutant.path == path else text
                write(os.path.join(folder, path), text)
            return folder

    def object(self, output, mutants, sanitized=False):
        """An object with errors, or None where it cannot be compiled."""
        keys = tuple(map(operators.key, mutants))
        key = (output, keys, sanitized)
        with self.lock:
            made = self.objects.get(key)
            mine = made is None
            if mine:
                made = self.objects[key] = concurrent.futures.Future()
        if mine:
            folder = self.source(keys, mutants)
            place = os.path.join(folder, "sanitized" if sanitized else "plain", output)
            good = self.suite.compiled(output, folder, place, *(SANITIZER if sanitized else ()))
            made.set_result(place if good else None)
        return made.result()

    def shares(self, mutants, outputs=None, few=False):
        """Which errors each object has: all objects of every error unless some are named, or few of
        each wanted."""
        shares = collections.defaultdict(list)
        for mutant in sorted(mutants, key=operators.key):
            for output in outputs or (self.few_of if few else self.outputs_of)(mutant):
                shares[output].append(mutant)
        return shares

    def library(self, mutants, outputs=None, sanitized=False):
        """Links it in a new folder, with the programs that have objects of their own: the folder
        and None, or None and why it is not worth testing."""
        objects = {output: self.object(output, some, sanitized)
                   for output, some in self.shares(mutants, outputs, few=sanitized).items()}
        if not all(objects.values()):
            return None, "not compiled"
        changed = {output: made for output, made in objects.items()
                   if sanitized or self.differs(output, made)}
        if not changed:
            return None, "the same code" if objects else "no library"
        folder = tempfile.mkdtemp(dir=self.place)
        for target in set().union(*(self.suite.targets[output] for output in changed)):
            self.suite.linked(target, folder, changed, *(SANITIZER if sanitized else ()))
        return folder, None

    def differs(self, output, made):
        with open(os.path.join(self.suite.build, output), "rb") as one, open(made, "rb") as other:
            return one.read() != other.read()


def are_apart(outputs, others, mutant, members):
    """Whether an error may be planted together with others: in no object, function or line of
    theirs."""
    return not outputs & others and \
        all((mutant.path, mutant.function) != (one.path, one.function) for one in members)


def grouped(mutants, outputs_of, most):
    """Errors that are planted together, at most so many."""
    groups, objects = [], []
    for mutant in mutants:
        outputs = outputs_of(mutant)
        at = next((i for i, group in enumerate(groups) if len(group) < most and
                   are_apart(outputs, objects[i], mutant, group)), None)
        if at is None:
            at = len(groups)
            groups.append([])
            objects.append(set())
        groups[at].append(mutant)
        objects[at] |= outputs
    return groups


def culprits(members, why, fails):
    """Of several errors, together with which a test fails, those with which it fails alone, as
    halves of them show. What fails only together is nobody's."""
    if len(members) == 1:
        return [(members[0], why)]
    found = []
    for half in (members[::2], members[1::2]):
        reason = fails(half)
        if reason:
            found += culprits(half, reason, fails)
    return found


def self_test():
    Error = collections.namedtuple("Error", "path function")
    errors = [Error(path, "f") for path in "abcdefg"]
    groups = grouped(errors + errors[:1], lambda error: {error.path}, 4)
    good = [len(group) for group in groups] == [4, 4]
    asked = []

    def fails(some):
        asked.append(some)
        return "why" if errors[2] in some or errors[5] in some else None

    good &= culprits(errors, "why", fails) == [(errors[2], "why"), (errors[5], "why")]
    return good and len(asked) == 10
