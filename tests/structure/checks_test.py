"""Each check finds the violation in a small tree that was made to have it, and nothing in one that
has none."""
import pathlib
import tempfile
import unittest

import checks

ROOMS = ["base", "io", "read"]


class SyntheticTree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("src/nunatak/base/error.h", "#pragma once\n#include <string>\n")
        self.write("src/nunatak/io/file_io.h", '#include "nunatak/base/error.h"\n')

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file


class Cases(SyntheticTree):
    def test_a_name_that_no_test_has_is_found(self):
        self.write("tests/io/a_test.cc", "TEST(Reader, Reads) {\n}\nTEST_F(Writer, Writes) {\n}\n")
        self.write("tests/cases.md", "`Reader.Reads`, `Writer.Writes`, tests/io/a_test.cc\n")
        self.assertEqual(checks.check_cases(self.root), [])
        self.write("tests/cases.md", "`Reader.Sleeps`, tests/io/b_test.cc\n")
        self.assertEqual(
            checks.check_cases(self.root),
            ["tests/cases.md names Reader.Sleeps, which does not exist",
             "tests/cases.md names tests/io/b_test.cc, which does not exist"],
        )


class ReadRooms(SyntheticTree):
    def test_both_lists_in_their_order(self):
        self.write(
            "CMakeLists.txt",
            "set(NUNATAK_CORE_ROOMS base io)\nset(NUNATAK_FULL_ROOMS read\n    cli)\n",
        )
        self.assertEqual(checks.read_rooms(self.root), (["base", "io"], ["read", "cli"]))


class IncludeDirections(SyntheticTree):
    def check(self):
        return checks.check_include_directions(self.root, ROOMS)

    def test_a_room_may_include_itself_and_earlier_rooms(self):
        self.write("src/nunatak/io/file_io.cc", '#include "nunatak/io/file_io.h"\n')
        self.assertEqual(self.check(), [])

    def test_a_later_room_is_found(self):
        self.write("src/nunatak/base/bad.cc", '#include <vector>\n#  include "nunatak/io/file_io.h"\n')
        self.assertEqual(self.check(), ["src/nunatak/base/bad.cc: base includes nunatak/io/file_io.h"])

    def test_a_subfolder_counts_as_its_room(self):
        self.write("src/nunatak/read/decode/a.h", '#include "nunatak/read/project/b.h"\n')
        self.assertEqual(self.check(), [])
        self.write("src/nunatak/io/local/a.cc", '#include "nunatak/read/decode/a.h"\n')
        self.assertEqual(
            self.check(), ["src/nunatak/io/local/a.cc: io includes nunatak/read/decode/a.h"]
        )

    def test_a_folder_that_is_no_room_is_found(self):
        self.write("src/nunatak/attic/a.cc", "")
        self.assertEqual(
            self.check(), ["src/nunatak/attic/a.cc: 'attic' is not a room in CMakeLists.txt"]
        )


class IncludePaths(SyntheticTree):
    def test_the_full_path_is_fine(self):
        self.assertEqual(checks.check_include_paths(self.root), [])

    def test_a_short_path_is_found(self):
        self.write("src/nunatak/base/bad.cc", '#include "error.h"\n')
        self.assertEqual(
            checks.check_include_paths(self.root),
            ["src/nunatak/base/bad.cc: include of error.h"],
        )

    def test_a_header_that_does_not_exist_is_found(self):
        self.write("src/nunatak/base/bad.cc", '#include "nunatak/base/gone.h"\n')
        self.assertEqual(
            checks.check_include_paths(self.root),
            ["src/nunatak/base/bad.cc: include of nunatak/base/gone.h"],
        )


class CoreHasNoArrow(SyntheticTree):
    def check(self):
        return checks.check_core_has_no_arrow(self.root, ["base", "io"])

    def test_beyond_the_core_arrow_is_welcome(self):
        self.write("src/nunatak/read/a.cc", "#include <arrow/api.h>\n")
        self.assertEqual(self.check(), [])

    def test_arrow_and_parquet_are_found(self):
        self.write("src/nunatak/base/a.cc", "#include <arrow/api.h>\n")
        self.write("src/nunatak/io/deep/b.h", '#include "parquet/arrow/reader.h"\n')
        self.assertEqual(
            self.check(),
            [
                "src/nunatak/base/a.cc: includes arrow/api.h",
                "src/nunatak/io/deep/b.h: includes parquet/arrow/reader.h",
            ],
        )


class PlannerKnowsNoFormat(SyntheticTree):
    def test_words_of_a_format_are_found_in_planner_and_reader_alone(self):
        self.write("src/nunatak/read/a.cc", "int delta = 1;  // archive\n")
        self.write("src/nunatak/hive/b.cc", "// Hive\n")
        self.assertEqual(checks.check_planner_knows_no_format(self.root), [])
        self.write("src/nunatak/plan/c.h", "\n// as a Delta table has it\n")
        self.assertEqual(
            checks.check_planner_knows_no_format(self.root),
            ["src/nunatak/plan/c.h:2: // as a Delta table has it"],
        )


class Lengths(SyntheticTree):
    def test_the_limit_is_allowed_and_no_line_more(self):
        files = [
            self.write("src/nunatak/io/long.cc", "\n" * 800),
            self.write("src/nunatak/io/longer.cc", "\n" * 801),
            self.write("LICENSE", "\n" * 5000),
        ]
        self.assertEqual(
            checks.check_lengths(self.root, files), ["src/nunatak/io/longer.cc: 801 lines"]
        )


class ForeignText(SyntheticTree):
    def found_in(self, text):
        return checks.check_foreign_text(self.root, [self.write("README.md", "one\n" + text)])

    def test_ordinary_text_is_fine(self):
        for text in (
            "file:///lake/wh/t and s3://bucket/work" + "/x",
            "framework/x, ./work" + "/x, ../farm" + "/y",
            "an issue with 3 tables",
            "/tmp/table",
        ):
            self.assertEqual(self.found_in(text), [], text)

    def test_machine_paths_hosts_and_the_tracker_are_found(self):
        for text in (
            "cd /wo" + "rk/main",
            "'/ro" + "ot/.cache'",
            "file:///fa" + "rm/x",
            "/ho" + "me/somebody",
            "/tm" + "p/nn",
            "https://py" + "pi.org/simple",
            "see iss" + "ue 3",
            "Ticke" + "t #12",
        ):
            found = self.found_in(text)
            self.assertEqual(len(found), 1, text)
            self.assertTrue(found[0].startswith("README.md:2: "), found[0])


class Names(SyntheticTree):
    def test_collections_of_leftovers_are_found(self):
        self.assertEqual(checks.check_names(self.root), [])
        self.write("src/nunatak/base/string_utils.h", "")
        self.assertEqual(checks.check_names(self.root), ["src/nunatak/base/string_utils.h"])


class Libraries(unittest.TestCase):
    def test_arrow_and_parquet_are_found(self):
        listing = "\tlinux-vdso.so.1 (0x1)\n\tlibfmt.so.9 => /usr/lib/libfmt.so.9 (0x2)\n"
        self.assertEqual(checks.check_libraries("tests/io_test", listing), [])
        listing += "\tlibarrow.so.2600 => not found\n\tlibparquet.so.2600 => /x/libparquet (0x3)\n"
        self.assertEqual(
            checks.check_libraries("tests/io_test", listing),
            ["io_test: needs libarrow.so.2600", "io_test: needs libparquet.so.2600"],
        )


class TestsMirrorSources(SyntheticTree):
    def test_a_test_of_no_room_is_found(self):
        self.write("tests/io/file_io_test.cc", "")
        self.assertEqual(checks.check_tests_mirror_sources(self.root), [])
        self.write("tests/attic/a_test.cc", "")
        self.assertEqual(
            checks.check_tests_mirror_sources(self.root),
            ["tests/attic/a_test.cc: there is no room 'attic'"],
        )
