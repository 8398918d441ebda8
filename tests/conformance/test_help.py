#!/usr/bin/env python3
"""Every verb is described: in the list of verbs, by its own help with an example, and in docs/commands.md."""
import os
import re
import subprocess
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
NUNATAK = os.environ.get("NUNATAK", os.path.join(ROOT, "build", "nunatak"))


def help_of(*verb):
    return subprocess.run([NUNATAK, *verb, "--help"], capture_output=True, text=True, check=True, timeout=60).stdout


def verbs():
    """Under whichever heading."""
    return dict(re.findall(r"^  ([a-z][a-z-]*) {2,}(\S.*)$", help_of(), re.MULTILINE))


class Help(unittest.TestCase):
    def test_there_are_verbs_with_descriptions(self):
        self.assertGreater(len(verbs()), 25)
        for verb, description in verbs().items():
            self.assertGreater(len(description), 3, verb)

    def test_each_has_an_example_of_itself(self):
        for verb in verbs():
            text = help_of(verb)
            examples = text.split("Example", 1)
            self.assertEqual(len(examples), 2, f"{verb} --help has no example")
            self.assertIn(f"nunatak {verb}", examples[1], verb)

    def test_each_is_in_the_documentation(self):
        with open(os.path.join(ROOT, "docs", "commands.md"), encoding="utf-8") as file:
            documented = set(re.findall(r"`([a-z-]+)`", file.read()))
        self.assertEqual(sorted(set(verbs()) - documented), [])


if __name__ == "__main__":
    unittest.main()
