"""The tests that look for planted errors, and the library that they load.

The tests are built once and load the library when they start. A build that notes what is run says
which tests reach which function and line, and how long they take.
"""

import bisect
import collections
import concurrent.futures
import json
import math
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time

import operators

sys.path.insert(0, os.path.join(operators.ROOT, "tests/quick"))

from choose import read_tests  # noqa: E402

LIBRARY = "libsinew_all.so"
LABELS = {"state", "constraints", "collision", "contact", "systems", "fracture", "step", "api",
          "bodies", "scenes", "validation"}
# Those in double do what those in float do; what compares the bits of earlier runs is no judge.
NOT_ASKED = {"double", "long", "soak", "golden", "structure"}
# What an error leaves unwritten has large numbers in it, on the stack and (PERTURBED) elsewhere.
OPTIONS = ("-DCMAKE_BUILD_TYPE=None", "-DCMAKE_C_FLAGS=-O1 -ftrivial-auto-var-init=pattern",
           "-DSINEW_BRIEF=ON", "-DSINEW_PNG=OFF", "-DSINEW_INSTALL=OFF",
           "-DCMAKE_SKIP_BUILD_RPATH=ON", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON")
PERTURBED = "165"
NOTING = ("-fsanitize-coverage=trace-pc", "-fno-inline-functions-called-once", "-g1")
SLOWEST = 12  # times the limit of a test: what it may take where others compute as well
MEMORY = 8 << 20  # KiB of addresses: a planted error may ask for anything
# Tests that look at one type of constraint after the other, and how many types there are for which
# they need not look at all.
BY_TYPE = {"constraints_" + name for name in ("angular_momentum", "bits", "degenerate", "gradients",
                                             "response", "viscosity")}
FEW_TYPES = 12
# One that takes too long for all types at once, and one that reaches what it does.
NARROW, AS_NARROW = "constraints_bits", "constraints_response"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def quiet(command, folder):
    """Whether it succeeds, and what it says."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    return done.returncode == 0, done.stdout


def must(command, folder):
    good, said = quiet(command, folder)
    if not good:
        sys.exit(f"{shlex.join(command)[:200]} failed:\n{said[-4000:]}")
    return said


def measured(command, folder, environment, patience):
    """What a process says, how long it computed, and its exit status; None after `patience`
    seconds. What it waits for others of a machine does not count."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=output,
                                   stderr=subprocess.STDOUT)
        end, gone, pause = time.monotonic() + patience, 0, 0.001
        while not gone and time.monotonic() < end:
            time.sleep(pause)
            pause = min(0.02, 1.2 * pause)
            gone, status, usage = os.wait4(process.pid, os.WNOHANG)
        if not gone:
            process.kill()
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        said = output.read().decode(errors="replace")
    return said, usage.ru_utime + usage.ru_stime, process.returncode if gone else None


def words_of(text):
    """Without the end that makes one of many."""
    return {word.rstrip("s") for word in re.split(r"\W|_", text) if len(word) > 2}


def are_alike(one, other):
    """Whether two words differ at most in how they end."""
    return len(os.path.commonprefix((one, other))) >= max(3, min(len(one), len(other)) - 1)


def kinship(path, test):
    """How many words of the names of a file and its folder are in that of a test."""
    folder, name = os.path.split(os.path.splitext(path)[0])
    words = words_of(test)
    return sum(any(are_alike(own, word) for word in words)
               for own in words_of(f"{name} {os.path.basename(folder)}"))


def is_type(name):
    """Whether tests that look at one type after the other look at one of this name."""
    path = os.path.join(operators.ROOT, "include/sinew/constraints", name + ".h")
    return os.path.exists(path) and "SN_LIST_TYPE(" in read(path)


class Suite:
    """A build, with what is known of its tests."""

    def __init__(self, build, jobs, pattern):
        self.build, self.jobs, self.pattern = build, jobs, pattern
        self.reached, self.seconds, self.lines = {}, {}, Lines()
        self.callers, self.held, self.reaches = Callers(), {}, {}
        self.kills = collections.Counter()
        self.lock = threading.Lock()

    # ---- Building ----

    def make(self):
        if not os.path.exists(os.path.join(self.build, "build.ninja")):
            must(["cmake", "-S", operators.ROOT, "-B", self.build, "-G", "Ninja", *OPTIONS],
                 operators.ROOT)
        tests = read_tests(self.build)
        self.tests = [test.name for test in tests if re.search(self.pattern, test.name)
                      and test.labels & LABELS and not test.labels & NOT_ASKED
                      and test.targets == {f"tests/{test.name}"}]
        must(["ninja", f"-j{self.jobs}", LIBRARY, *(f"tests/{name}" for name in self.tests)],
             self.build)
        self.read_commands()

    def read_commands(self):
        """How each object is compiled, which depend on a file, and how programs are linked."""
        self.compile = {}
        for entry in json.loads(read(os.path.join(self.build, "compile_commands.json"))):
            command = shlex.split(entry["command"])
            self.compile[command[command.index("-o") + 1]] = command
        self.link = {}
        for target in (LIBRARY, *(f"tests/{name}" for name in self.tests)):
            said = must(["ninja", "-t", "commands", "-s", target], self.build)
            self.link[target] = re.fullmatch(r"(?:: && )?(.*?)(?: && :)?", said.strip())[1]
        self.users = collections.defaultdict(set)
        self.targets = collections.defaultdict(set)
        for target, line in self.link.items():
            for word in shlex.split(line):
                if word.endswith(".o"):
                    self.targets[word].add(target)
        output = ""
        for line in must(["ninja", "-t", "deps"], self.build).split("\n"):
            if line.startswith(" "):
                path = os.path.relpath(os.path.join(self.build, line.strip()), operators.ROOT)
                if self.targets[output]:
                    self.users[path].add(output)
            else:
                output = line.split(":")[0]

    def compiled(self, output, folder, place, *options):
        """An object, with files in `folder` instead of those of the tree."""
        command = list(self.compile[output])
        source = os.path.relpath(command[-1], operators.ROOT)
        there = os.path.join(folder, source)
        if os.path.exists(there):
            command[-1] = there
        os.makedirs(os.path.dirname(place), exist_ok=True)
        command[command.index("-o") + 1] = place
        if os.path.basename(command[0]) == "ccache":
            command = command[1:]
        first = [f"-I{folder}/src", "-w", f"-fmacro-prefix-map={folder}/={operators.ROOT}/"]
        return quiet([command[0], *first, *options, *command[1:]], self.build)[0]

    def linked(self, target, folder, objects, *more):
        """A library or program of the build in `folder`, with other objects for some."""
        words = [objects.get(word, word) for word in shlex.split(self.link[target])]
        place = os.path.join(folder, target)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        words[words.index("-o") + 1] = place
        must([*words, *more], self.build)

    # ---- Running ----

    def run(self, name, folder, limit, memory=MEMORY, **environment):
        """How a test ends with the library in `folder`: seconds that it computed, and why it fails
        or None."""
        program = os.path.join(folder, "tests", name)
        if not os.path.exists(program):
            program = os.path.join(self.build, "tests", name)
        paths = f"{folder}:{self.build}:{self.build}/io:{self.build}/picture"
        environment = dict(os.environ, LD_LIBRARY_PATH=paths, SINEW_TEST_MUTANT="1",
                           SINEW_TEST_BRIEF="1", MALLOC_PERTURB_=PERTURBED, **environment)
        command = ["sh", "-c", f"ulimit -c 0; ulimit -t {math.ceil(limit)}; ulimit -v {memory}; "
                   'exec "$0"', program]
        with tempfile.TemporaryDirectory() as here:
            said, seconds, code = measured(command, here, environment, SLOWEST * limit)
        if code in (None, -signal.SIGXCPU, -signal.SIGKILL):
            return seconds, "does not end"
        if code == 0:
            return seconds, None
        found = re.search(r"^    (\S+:\d+: .*)|AddressSanitizer: (\S+ on .*)", said, re.M)
        return seconds, found[1] or found[2] if found else f"ends with {code}"

    def run_sanitized(self, name, folder):
        """The same with a library that was compiled with sanitizers, which take more addresses than
        there is memory, and time."""
        library = must([self.compiler(), "-print-file-name=libasan.so"], self.build).strip()
        seconds, why = self.run(name, folder, 30 + 8 * self.seconds[name], "unlimited",
                                LD_PRELOAD=library, ASAN_OPTIONS="detect_leaks=0")
        return seconds, None if why == "does not end" else why

    def note(self, longest):
        """Learns what the tests reach, and how long they take; from a file, where it is known."""
        path = os.path.join(self.build, "reached.json")
        library = os.path.join(self.build, LIBRARY)
        if os.path.exists(path) and os.path.getmtime(path) > os.path.getmtime(library):
            known = json.loads(read(path))
            self.reached = {name: set(some) for name, some in known["reached"].items()}
            self.seconds, self.lines = known["seconds"], Lines(known["lines"])
        missing = [name for name in self.tests if name not in self.reached and name != NARROW]
        if missing:
            self.note_anew(missing, longest)
            reached = {name: sorted(some) for name, some in self.reached.items()
                       if some is not None}
            write(path, json.dumps({"reached": reached, "seconds": self.seconds,
                                    "lines": self.lines.known()}))
        if NARROW in self.tests and self.reached.get(AS_NARROW):
            self.reached[NARROW] = self.reached[AS_NARROW]
            self.seconds[NARROW] = 2 * self.seconds[AS_NARROW]
            self.lines.take_over(AS_NARROW, NARROW)
        self.reached.setdefault(NARROW, None)
        useless = [name for name in self.tests if self.reached[name] is None]
        if useless:
            print("mutants: not asked, since without any error they fail or take longer than "
                  f"{longest:g} s: {' '.join(useless)}")
        self.tests = [name for name in self.tests if name not in useless]
        self.known = set().union(*(self.reached[name] for name in self.tests))

    def note_anew(self, names, longest):
        folder = os.path.join(self.build, "noting")
        outputs = [output for output in self.targets
                   if LIBRARY in self.targets[output] and self.is_source(output)]
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            places = {output: os.path.join(folder, output) for output in outputs}
            good = pool.map(lambda output: self.compiled(output, folder, places[output], *NOTING),
                            outputs)
            if not all(good):
                sys.exit("the library cannot be compiled with " + " ".join(NOTING))
        hook = os.path.join(operators.ROOT, "tests/mutants/reached.c")
        self.linked(LIBRARY, folder, places, "-fPIC", hook)
        symbols = Symbols(os.path.join(folder, LIBRARY))

        def look(name):
            notes = os.path.join(folder, name + ".txt")
            _, failed = self.run(name, folder, 2 * longest, SINEW_REACHED=notes)
            self.seconds[name], why = self.run(name, self.build, longest)
            why = why or failed
            offsets[name] = [] if why else read(notes).split()
            self.reached[name] = None if why else symbols.names(offsets[name])

        offsets = {}
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(look, names))
        self.lines.add(os.path.join(folder, LIBRARY), offsets, self.jobs)

    def is_source(self, output):
        source = os.path.relpath(self.compile[output][-1], operators.ROOT)
        return source.startswith(operators.FOLDERS)

    # ---- Choosing ----

    def sources_of(self, outputs):
        """The names of the C files of objects."""
        return {os.path.basename(self.compile[output][-1]) for output in outputs}

    def reaching(self, mutant):
        """The tests that run the function, and those of them that come to the line."""
        found = self.reaches.get(operators.key(mutant))
        if not found:
            found = self.reaches[operators.key(mutant)] = self.find_reaching(mutant)
        return found

    def find_reaching(self, mutant):
        first, count = operators.extent(mutant)
        inside = self.lines.tests_in(mutant.path, first, first + count) & set(self.tests)
        if inside:
            return inside, self.lines.tests_near(mutant.path, first, mutant.line)
        # What is a part of others everywhere has no place of its own: whoever calls it has.
        files = self.sources_of(self.users[mutant.path])
        wanted = self.callers.found(mutant.function, files, self.known) or files
        return {name for name in self.tests if wanted & self.reached[name]}, set()

    def types_of(self, mutant, outputs):
        """The types of constraints that have an error, where they are few."""
        stems = {os.path.splitext(file)[0] for file in self.sources_of(outputs)}
        few = mutant.path.startswith("src/constraints/") and len(stems) <= FEW_TYPES
        return set(filter(is_type, stems)) if few else set()

    def holds(self, name, told):
        """Whether a test holds without an error where it is told so."""
        key = (name, *sorted(told.items()))
        if key not in self.held:
            self.held[key] = not self.run(name, self.build, self.limit(name), **told)[1]
        return self.held[key]

    def told(self, name, types):
        """What a test is told of the types that have errors, where it goes over all of them."""
        told = {"SINEW_TEST_TYPE": " ".join(sorted(types))}
        return told if name in BY_TYPE and types and self.holds(name, told) else {}

    def limit(self, name):
        """Seconds after which a test does not end, of those that it computes."""
        return 3 + 4 * self.seconds[name]

    def names_of(self, mutant):
        """The tests that may notice it."""
        inside, _ = self.reaching(mutant)
        # They come to every type, if not in the seconds in which that was noted.
        few = self.types_of(mutant, self.users[mutant.path])
        inside = inside | BY_TYPE & set(self.tests) if few else inside - {NARROW}
        own = {target[len("tests/"):] for output in self.users[mutant.path]
               for target in self.targets[output] if target != LIBRARY}
        return inside | own & set(self.tests)

    def in_order(self, mutant, types):
        """The tests that may notice it: those first that come to the line itself, and of them what
        found many errors in little time, and what has words of the file in its name."""
        names, near = self.names_of(mutant), self.reaching(mutant)[1]
        folder = os.path.dirname(mutant.path)

        def rank(name):
            part = 0.1 if types and name in BY_TYPE else 1
            cost = part * self.seconds[name] + 0.1
            merit = 1 + 4 * self.kills[folder, name] + 0.05 * self.kills["", name]
            return name not in near, cost / (merit + 8 * kinship(mutant.path, name)), name

        with self.lock:
            return sorted(names, key=rank)

    def count_kill(self, mutant, name):
        with self.lock:
            self.kills[os.path.dirname(mutant.path), name] += 1
            self.kills["", name] += 1

    def compiler(self):
        command = next(iter(self.compile.values()))
        return command[1] if os.path.basename(command[0]) == "ccache" else command[0]


class Symbols:
    """The functions of a library by where they are, as "file function"."""

    def __init__(self, library):
        rows, file = [], ""
        for line in must(["readelf", "-sW", library], ".").split("\n"):
            words = line.split()
            if len(words) < 8 or not words[0].endswith(":"):
                continue
            if words[3] == "FILE":
                file = words[7]
            elif words[3] == "FUNC" and words[6] != "UND":
                name = words[7].split("@")[0].split(".")[0]
                rows.append((int(words[1], 16), file if words[4] == "LOCAL" else "", name))
        self.rows = sorted(set(rows))
        self.starts = [row[0] for row in self.rows]
        self.home = self.homes()

    @staticmethod
    def homes():
        """The files of functions that others call."""
        found = {}
        tree = operators.read_tree(operators.ROOT, operators.FOLDERS)
        for path, text in tree.items():
            if path.endswith(".c"):
                for name, _, _ in operators.functions(text):
                    if name.startswith("sn_"):
                        found[name] = os.path.basename(path)
        return found

    def names(self, offsets):
        """The functions, and the files that they are in."""
        found = set()
        for offset in offsets:
            at = bisect.bisect_right(self.starts, int(offset, 16)) - 1
            _, file, name = self.rows[at]
            file = file or self.home.get(name, "")
            found |= {file, f"{file} {name}"}
        return found


class Lines:
    """Which tests come to which lines: of every block of code the first one."""

    def __init__(self, known=None):
        self.order = known["order"] if known else []
        self.masks = {path: {int(line): int(mask, 16) for line, mask in lines.items()}
                      for path, lines in known["masks"].items()} if known else {}

    def known(self):
        return {"order": self.order,
                "masks": {path: {line: f"{mask:x}" for line, mask in lines.items()}
                          for path, lines in self.masks.items()}}

    def add(self, library, offsets, jobs):
        """What tests have come to, by places in the library, which knows its lines."""
        everywhere = sorted(set().union(*offsets.values()))
        parts = [everywhere[i::jobs] for i in range(jobs)]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            places = {}
            for some in pool.map(lambda part: self.places_of(library, part), parts):
                places.update(some)
        tests = collections.defaultdict(int)
        for name, some in offsets.items():
            for offset in some:
                tests[offset] |= 1 << len(self.order)
            self.order.append(name)
        for offset, mask in tests.items():
            for path, line in places.get(offset, ()):
                lines = self.masks.setdefault(path, {})
                lines[line] = lines.get(line, 0) | mask

    def take_over(self, name, other):
        """Says of another test what is known of one."""
        if other in self.order:
            return
        at, mask = self.order.index(name), 1 << len(self.order)
        self.order.append(other)
        for lines in self.masks.values():
            for line, some in lines.items():
                lines[line] = some | mask if some >> at & 1 else some

    @staticmethod
    def places_of(library, offsets):
        """File and line of each, and of the calls that it is a part of."""
        # A call's own place is before that to which it returns.
        asked = "\n".join(f"{int(offset, 16) - 1:x}" for offset in offsets)
        said = subprocess.run(["addr2line", "-i", "-a", "-e", library], input=asked, text=True,
                              stdout=subprocess.PIPE, check=True).stdout
        found, offset = {}, None
        for line in said.split("\n"):
            if line.startswith("0x"):
                offset = f"{int(line, 16) + 1:x}"
                found[offset] = []
                continue
            place = re.match(r"(.+):(\d+)", line)
            path = os.path.relpath(place[1], operators.ROOT) if place else ""
            if path.startswith(operators.FOLDERS) and int(place[2]) > 0:
                found[offset].append((path, int(place[2])))
        return found

    def named(self, mask):
        return {name for i, name in enumerate(self.order) if mask >> i & 1}

    def tests_in(self, path, first, end):
        mask = 0
        for line, some in self.masks.get(path, {}).items():
            mask |= some if first <= line < end else 0
        return self.named(mask)

    def tests_near(self, path, first, line):
        """Those that come to the block that a line of a function is in, as the text has it."""
        known = self.masks.get(path, {})
        nearest = max((at for at in known if first <= at <= line), default=None)
        return self.named(known[nearest]) if nearest else set()


class Callers:
    """Who calls a function, by the text."""

    def __init__(self):
        self.parts = []
        for path, text in operators.read_tree(operators.ROOT, operators.FOLDERS).items():
            lines = text.split("\n")
            for name, first, count in operators.functions(text):
                words = set(re.findall(r"\w+", "\n".join(lines[first - 1:first + count - 1])))
                self.parts.append((os.path.basename(path), name, words - {name}))

    def found(self, function, files, known):
        """As "file function" all that tests are known to reach and that need a function."""
        asked, seen, found = [function], {function}, set()
        while asked:
            name = asked.pop()
            here = {f"{file} {name}" for file in files} & known
            found |= here
            for file, caller, words in self.parts:
                if here or caller in seen or name not in words:
                    continue
                seen.add(caller)
                asked.append(caller)
                found |= {f"{file} {caller}"} & known
        return found
