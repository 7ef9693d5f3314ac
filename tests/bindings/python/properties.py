#!/usr/bin/env python3
"""What holds for any world in Python, with worlds that hypothesis makes up.

    properties.py PACKAGE      exits with 77 where hypothesis is missing
"""

import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.abspath(sys.argv[1]))
try:
    from hypothesis import given, settings
    from hypothesis import strategies as some
except ImportError:
    print("skipped: hypothesis is not installed")
    sys.exit(77)

import sinew  # noqa: E402

settings.register_profile("sinew", max_examples=60, deadline=None, derandomize=True, database=None)
settings.load_profile("sinew")

numbers = some.floats(-10, 10, width=32)
places = some.tuples(numbers, numbers, numbers)
solvers = some.sampled_from(["coloured", "reference", "jacobi"])


@some.composite
def chains(draw):
    """Masses at random places, each bound to the one before it, the first held."""
    at = draw(some.lists(places, min_size=2, max_size=8, unique=True))
    weights = draw(some.lists(some.floats(0.125, 10, width=32), min_size=len(at), max_size=len(at)))
    chosen = {"solver": draw(solvers), "substeps": draw(some.integers(1, 8)),
              "integrator": draw(some.sampled_from(["bdf1", "bdf2"]))}
    compliance = draw(some.sampled_from([0, 1e-6, 1e-3]))

    def make(threads=1):
        world = sinew.World(threads=threads, **chosen)
        nodes = [world.node(place, inverse_mass=weight if i else 0)
                 for i, (place, weight) in enumerate(zip(at, weights))]
        for a, b in zip(nodes, nodes[1:]):
            world.distance(a, b, compliance=compliance)
        return world, nodes
    return make


class Properties(unittest.TestCase):
    @given(chains(), some.integers(1, 5))
    def test_a_snapshot_goes_on_with_the_same_bits(self, make, steps):
        world, _ = make()
        world.step(1 / 60)
        saved = world.snapshot_save()
        other = sinew.World()
        other.snapshot_load(saved)
        for _ in range(steps):
            world.step(1 / 60)
            other.step(1 / 60)
        self.assertEqual(world.hash(), other.hash())

    @given(chains(), some.integers(2, 4))
    def test_threads_and_batches_have_the_same_bits(self, make, threads):
        alone, _ = make()
        alone.step(1 / 60)
        alone.step(1 / 60)
        worlds = [make(threads)[0] for _ in range(2)]
        sinew.step_all(worlds, 1 / 60, steps=2)
        self.assertEqual({world.hash() for world in worlds}, {alone.hash()})

    @given(some.lists(places, min_size=1, max_size=20))
    def test_a_view_has_what_was_given(self, at):
        world = sinew.World()
        nodes = world.nodes_at(at)
        view = world.positions
        for node, place in zip(nodes, at):
            self.assertEqual(tuple(view[node.slot]), place)
            self.assertEqual(tuple(node.get().position), place)

    @given(chains(), some.sampled_from([float("nan"), float("inf"), -float("inf"), -1.0, 1e30]),
           some.sampled_from(["dt", "mass", "compliance", "position"]))
    def test_nonsense_is_refused_and_changes_nothing(self, make, value, where):
        world, nodes = make()
        before = world.hash()
        refused = {
            "dt": lambda: world.step(value),
            "mass": lambda: world.node((0, 0, 0), inverse_mass=value),
            "compliance": lambda: world.distance(nodes[0], nodes[1], compliance=value),
            "position": lambda: nodes[1].set_position((value, 0, 0)),
        }[where]
        # What is large or negative is nonsense in some places alone.
        allowed = {"position": (-1.0, 1e30), "mass": (1e30,), "compliance": (1e30,), "dt": (1e30,)}
        if value in allowed[where]:
            return
        with self.assertRaises(sinew.Error):
            refused()
        self.assertEqual(world.hash(), before)

    @given(chains(), some.data())
    def test_what_was_destroyed_is_refused(self, make, data):
        world, nodes = make()
        gone = data.draw(some.sampled_from(nodes))
        gone.destroy()
        self.assertFalse(gone.is_valid())
        with self.assertRaises(sinew.c.StaleError):
            gone.get()
        world.step(1 / 60)
        self.assertEqual(sum(node.is_valid() for node in nodes), len(nodes) - 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
