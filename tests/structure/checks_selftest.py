"""Proves of each check that it finds a violation, and that it passes what is right."""

import unittest

import checks

ROOMS = checks.Rooms(["base", "io", "table", "read", "cli"], core=3)


def tree(**files: str) -> checks.Tree:
    """A tree of files; in the keyword `__` stands for `/`, and a C++ suffix is added."""
    paths = {name: name.replace("__", "/") + ".cc" for name in files}
    return checks.Tree({paths[name]: text.encode() for name, text in files.items()})


class RoomsTest(unittest.TestCase):
    def test_reads_both_lists(self):
        rooms = checks.Rooms.from_cmake(
            "set(NUNATAK_CORE_ROOMS base io)\nset(NUNATAK_FULL_ROOMS read\n    cli)\n")
        self.assertEqual(rooms, checks.Rooms(["base", "io", "read", "cli"], core=2))

    def test_refuses_a_file_without_the_lists(self):
        with self.assertRaises(ValueError):
            checks.Rooms.from_cmake("project(nunatak)")


class IncludeDirectionsTest(unittest.TestCase):
    def violations(self, **files):
        return checks.check_include_directions(tree(**files), ROOMS)

    def test_finds_a_later_room(self):
        self.assertEqual(
            self.violations(src__nunatak__base__error='\n#include "nunatak/table/type.h"'),
            ["src/nunatak/base/error.cc:2: room base includes the later room table"])

    def test_counts_a_subfolder_as_its_room(self):
        self.assertEqual(
            self.violations(src__nunatak__read__decode__parquet='#include "nunatak/cli/main.h"'),
            ["src/nunatak/read/decode/parquet.cc:1: room read includes the later room cli"])

    def test_finds_a_later_room_in_a_test_and_in_angle_brackets(self):
        self.assertEqual(
            self.violations(tests__io__location_test="# include <nunatak/read/open.h>"),
            ["tests/io/location_test.cc:1: room io includes the later room read"])

    def test_finds_a_room_that_nobody_named(self):
        self.assertEqual(
            self.violations(src__nunatak__misc__a="",
                            src__nunatak__io__b='#include "nunatak/misc/a.h"'),
            ["src/nunatak/misc/a.cc: CMakeLists.txt names no room 'misc'",
             "src/nunatak/io/b.cc:1: includes 'nunatak/misc/a.h', which is in no room"])

    def test_passes_the_own_room_and_earlier_ones(self):
        self.assertEqual(
            self.violations(src__nunatak__table__type='#include "nunatak/base/error.h"\n'
                                                      '#include "nunatak/table/type.h"\n'
                                                      '#include <map>'),
            [])


class CoreWithoutArrowTest(unittest.TestCase):
    def violations(self, **files):
        return checks.check_core_without_arrow(tree(**files), ROOMS)

    def test_finds_arrow_and_parquet(self):
        self.assertEqual(
            self.violations(src__nunatak__io__a="#include <arrow/api.h>",
                            src__nunatak__table__decode__b='#include "parquet/types.h"'),
            ["src/nunatak/io/a.cc:1: the light core includes 'arrow/api.h'",
             "src/nunatak/table/decode/b.cc:1: the light core includes 'parquet/types.h'"])

    def test_passes_arrow_after_the_core(self):
        self.assertEqual(self.violations(src__nunatak__read__a="#include <arrow/api.h>"), [])


class FileLengthTest(unittest.TestCase):
    def test_finds_one_line_too_many(self):
        self.assertEqual(
            checks.check_file_length(tree(src__nunatak__io__a="x\n" * (checks.MAX_LINES + 1))),
            [f"src/nunatak/io/a.cc: {checks.MAX_LINES + 1} lines, the limit is {checks.MAX_LINES}"])

    def test_passes_the_limit(self):
        self.assertEqual(
            checks.check_file_length(tree(src__nunatak__io__a="x\n" * checks.MAX_LINES)), [])


class MachineTracesTest(unittest.TestCase):
    def test_finds_paths_and_hosts_in_any_file(self):
        files = {
            "docs/a.md": b"one\nsee /" + b"work/main",
            "tests/data/b.avro": b"\0\xff/" + b"root/x",
            "c.txt": b"deb." + b"debian.org",
        }
        self.assertEqual(
            checks.check_machine_traces(checks.Tree(files)),
            ["c.txt:1: host of a package registry: deb." + "debian.org",
             "docs/a.md:2: path of one machine: /" + "work/",
             "tests/data/b.avro:1: path of one machine: /" + "root/"])

    def test_passes_made_up_locations(self):
        files = {"a.md": b"file:/lake/wh, network/x, s3://b/k"}
        self.assertEqual(checks.check_machine_traces(checks.Tree(files)), [])


class LinkedLibrariesTest(unittest.TestCase):
    def test_finds_arrow(self):
        self.assertEqual(
            checks.check_linked_libraries("io_test",
                                          "\tlibarrow.so.2600 => /x/libarrow.so.2600 (0x1)\n"
                                          "\tlibparquet.so.2600 => not found\n"),
            ["io_test: needs libarrow.so.2600", "io_test: needs libparquet.so.2600"])

    def test_passes_other_libraries(self):
        output = "\tlibfmt.so.9 => /x/libfmt.so.9\n"
        self.assertEqual(checks.check_linked_libraries("io_test", output), [])
