"""What `make install` puts under a prefix works alone: with the clone, its build folder and its virtual environment out of sight
where the system allows that (a mount namespace), the command runs, and the program of examples/ is built and runs."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["NUNATAK_BUILD"])
TABLE = "bookshop-orders"
FILTER = "order_id < 4"
PROBE = """cmake_minimum_required(VERSION 3.25)
project(probe LANGUAGES CXX)
find_package(nunatak REQUIRED)
add_library(core_headers OBJECT core_headers.cc)
target_link_libraries(core_headers PRIVATE nunatak::core)
if(TARGET nunatak::nunatak)
  add_library(full_headers OBJECT full_headers.cc)
  target_link_libraries(full_headers PRIVATE nunatak::nunatak)
endif()
"""


def rooms(name):
    text = (ROOT / "CMakeLists.txt").read_text()
    return re.search(rf"set\({name} ([^)]*)\)", text)[1].split()


def hidden_folders():
    """What a deleted clone takes along."""
    folders = {ROOT, BUILD.resolve(), (ROOT / ".venv").resolve()}
    return sorted(str(f) for f in folders if f.exists() and not folders.intersection(f.parents))


def can_hide():
    try:
        done = subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", str(ROOT)], capture_output=True, timeout=60)
    except OSError:
        return False
    return done.returncode == 0


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="nunatak-install-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        # A prefix that was moved: nothing in it knows where it was installed.
        installed = cls.folder / "installed"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", installed], check=True, capture_output=True, timeout=120)
        cls.prefix = installed.rename(cls.folder / "prefix")
        shutil.copytree(ROOT / "examples", cls.folder / "examples")
        shutil.copytree(ROOT / "tests" / "data" / TABLE, cls.folder / TABLE)
        cls.hides = can_hide()

    def run_alone(self, *command):
        """Runs a command in the folder; the clone is hidden from it."""
        command = [str(part) for part in command]
        if self.hides:
            script = 'while [ "$1" != -- ]; do mount -t tmpfs none "$1"; shift; done; shift; exec "$@"'
            command = ["unshare", "-rm", "sh", "-ec", script, "sh", *hidden_folders(), "--", *command]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def configure_and_build(self, folder):
        self.run_alone("cmake", "-S", folder, "-B", f"{folder}/build", f"-DCMAKE_PREFIX_PATH={self.prefix}", "-DCMAKE_BUILD_TYPE=Debug")
        self.run_alone("cmake", "--build", f"{folder}/build", "-j", "2")

    def test_the_clone_is_out_of_sight(self):
        if not self.hides:
            self.skipTest("the system allows no mount namespace: the clone is in sight of the other tests")
        for folder in hidden_folders():
            self.assertEqual(self.run_alone("ls", "-A", folder), "")

    def test_the_command_runs(self):
        rows = self.run_alone(self.prefix / "bin" / "nunatak", "scan", TABLE, "--moved", "--where", FILTER, "--format", "ndjson")
        self.assertEqual([json.loads(line)["order_id"] for line in rows.splitlines()], [1, 2, 3])

    def test_the_example_is_built_and_runs(self):
        self.configure_and_build("examples")
        lines = self.run_alone("examples/build/scan_table", TABLE, FILTER).splitlines()
        self.assertIn("order_id: int64", "\n".join(lines))
        rows = [json.loads(line) for line in lines if line.startswith("{")]
        self.assertEqual([row["order_id"] for row in rows], [1, 2, 3])

    def test_every_header_compiles_with_what_the_package_finds(self):
        probe = self.folder / "probe"
        probe.mkdir()
        (probe / "CMakeLists.txt").write_text(PROBE)
        headers = sorted((self.prefix / "include").glob("nunatak/**/*.h"))
        core = set(rooms("NUNATAK_CORE_ROOMS"))
        for name, wanted in (("core", True), ("full", False)):
            names = [header.relative_to(self.prefix / "include") for header in headers]
            lines = [f"#include <{header}>\n" for header in names if (header.parts[1] in core) == wanted]
            self.assertTrue(lines)
            (probe / f"{name}_headers.cc").write_text("".join(lines))
        self.configure_and_build("probe")

    def test_nothing_points_back_to_the_clone(self):
        for file in self.prefix.rglob("*"):
            if file.suffix in {".cmake", ".h"}:
                for folder in hidden_folders():
                    self.assertNotIn(folder, file.read_text(errors="replace"), file)
        libraries = self.run_alone("ldd", self.prefix / "bin" / "nunatak")
        for folder in hidden_folders():
            self.assertNotIn(folder, libraries)

    def test_the_arrow_of_the_wheel_comes_with_its_licences(self):
        if not list((self.prefix / "lib" / "nunatak").glob("libarrow.so*")):
            self.skipTest("Arrow is the system's")
        libraries = self.run_alone("ldd", self.prefix / "bin" / "nunatak")
        self.assertIn(str(self.prefix / "lib" / "nunatak" / "libarrow.so"), os.path.normpath(libraries).replace("/bin/../", "/"))
        licences = self.prefix / "share" / "doc" / "nunatak"
        self.assertIn("Apache License", (licences / "LICENSE").read_text())
        self.assertIn("Apache License", (licences / "arrow" / "LICENSE.txt").read_text())
        self.assertIn("Apache Arrow", (licences / "arrow" / "NOTICE.txt").read_text())


if __name__ == "__main__":
    unittest.main()
