"""The checks, over this repository and over what was built from it."""
import os
import pathlib
import subprocess
import unittest

import checks

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORE_ROOMS, FULL_ROOMS = checks.read_rooms(ROOT)


def repository_files():
    """What is committed, or would be; links and files that were removed left out."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True,
    ).stdout
    files = {ROOT / os.fsdecode(name) for name in listing.split(b"\0") if name}
    return sorted(f for f in files if f.is_file() and not f.is_symlink())


class Repository(unittest.TestCase):
    maxDiff = None

    def expect_none(self, violations):
        if violations:
            self.fail("\n" + "\n".join(violations))

    def test_rooms_include_only_rooms_before_them(self):
        self.assertTrue(checks.sources(ROOT))
        self.expect_none(checks.check_include_directions(ROOT, CORE_ROOMS + FULL_ROOMS))

    def test_own_headers_are_included_by_their_full_path(self):
        self.expect_none(checks.check_include_paths(ROOT))

    def test_the_light_core_includes_no_arrow_header(self):
        self.expect_none(checks.check_core_has_no_arrow(ROOT, CORE_ROOMS))

    def test_planner_and_reader_know_no_format(self):
        self.expect_none(checks.check_planner_knows_no_format(ROOT))

    def test_no_source_file_is_too_long(self):
        files = repository_files()
        self.assertIn(pathlib.Path(__file__).resolve(), files)
        self.expect_none(checks.check_lengths(ROOT, files))

    def test_files_speak_of_the_project_alone(self):
        self.expect_none(checks.check_foreign_text(ROOT, repository_files()))

    def test_no_file_is_named_for_leftovers(self):
        self.expect_none(checks.check_names(ROOT))

    def test_the_tests_of_the_cases_exist(self):
        self.expect_none(checks.check_cases(ROOT))

    def test_tests_mirror_the_sources(self):
        self.expect_none(checks.check_tests_mirror_sources(ROOT))

    def test_programs_of_the_light_core_need_no_arrow_library(self):
        build = pathlib.Path(os.environ["NUNATAK_BUILD"])
        programs = [build / "tests" / f"{room}_test" for room in CORE_ROOMS]
        programs = [build / "tests" / "core_alone"] + [p for p in programs if p.exists()]
        for program in programs:
            listing = subprocess.run(["ldd", program], check=True, capture_output=True, text=True)
            self.expect_none(checks.check_libraries(program, listing.stdout))
