"""The rules of the repository's shape, each a function from a tree of files to its violations.

A violation is one line of text that names file, line and rule. Tree hides where the files come
from, so that the self-tests can hand in made-up trees.
"""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

SOURCE_SUFFIXES = {".cc", ".h", ".py", ".sh", ".cmake", ".js", ".css"}
MAX_LINES = 800

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
# The brackets keep these patterns from matching their own text here.
MACHINE_TRACES = [
    (re.compile(rb"/[w]ork/|/[r]oot/|/[t]mp/nn\b|\.[p]yenv\b"), "path of one machine"),
    (
        re.compile(
            rb"deb\.[d]ebian\.org|[p]ypi\.org|[p]ythonhosted\.org|registry\.[n]pmjs|[c]rates\.io"
            rb"|proxy\.[g]olang\.org|repo1?\.[m]aven"
        ),
        "host of a package registry",
    ),
]


@dataclass
class Rooms:
    """The rooms in their order; the first `core` of them are the light core."""

    order: list[str]
    core: int

    @staticmethod
    def from_cmake(text: str) -> "Rooms":
        def read(name: str) -> list[str]:
            match = re.search(rf"set\({name}\s+([a-z\s]+)\)", text)
            if not match:
                raise ValueError(f"CMakeLists.txt does not set {name}")
            return match.group(1).split()

        core = read("NUNATAK_CORE_ROOMS")
        return Rooms(core + read("NUNATAK_FULL_ROOMS"), len(core))

    def is_core(self, room: str) -> bool:
        return room in self.order[: self.core]


class Tree:
    """Files by their path relative to the top of the repository."""

    def __init__(self, files: dict[str, bytes]):
        self.files = files

    @staticmethod
    def from_repository(top: Path) -> "Tree":
        """The files that git has or would take; without git, all but hidden and built ones."""
        listing = subprocess.run(
            ["git", "-C", str(top), "ls-files", "-co", "--exclude-standard", "-z"],
            capture_output=True,
            check=False,
        )
        if listing.returncode == 0 and listing.stdout:
            names = listing.stdout.decode().split("\0")
        else:
            names = [path.relative_to(top).as_posix() for path in top.rglob("*")]
            names = [name for name in names if not re.match(r"(\.|build)", name)]
        paths = {name: top / name for name in names if name}
        return Tree({name: path.read_bytes() for name, path in paths.items() if path.is_file()})

    def lines(self, suffixes: set[str]):
        """Yields (path, line number, line) of the files with one of these suffixes."""
        for name, content in sorted(self.files.items()):
            if PurePosixPath(name).suffix in suffixes:
                for number, line in enumerate(content.decode(errors="replace").splitlines(), 1):
                    yield name, number, line

    def includes(self):
        """Yields (path, line number, room, included path) for the C++ files of src and tests."""
        for name, number, line in self.lines({".cc", ".h"}):
            parts = name.split("/")
            if name.startswith("src/nunatak/") and len(parts) > 3:
                room = parts[2]
            elif name.startswith("tests/") and len(parts) > 2:
                room = parts[1]
            else:
                continue
            if match := INCLUDE.match(line):
                yield name, number, room, match.group(1)


def check_include_directions(tree: Tree, rooms: Rooms) -> list[str]:
    """A room, and its tests, include only that room and rooms before it."""
    violations = []
    for name in tree.files:
        parts = name.split("/")
        if name.startswith("src/nunatak/") and len(parts) > 3 and parts[2] not in rooms.order:
            violations.append(f"{name}: CMakeLists.txt names no room '{parts[2]}'")
    for name, number, room, target in tree.includes():
        if room not in rooms.order or not target.startswith("nunatak/"):
            continue
        other = target.split("/")[1]
        if other not in rooms.order:
            violations.append(f"{name}:{number}: includes '{target}', which is in no room")
        elif rooms.order.index(other) > rooms.order.index(room):
            violations.append(f"{name}:{number}: room {room} includes the later room {other}")
    return violations


def check_core_without_arrow(tree: Tree, rooms: Rooms) -> list[str]:
    """No file of the light core, nor of its tests, includes an Arrow or Parquet header."""
    return [
        f"{name}:{number}: the light core includes '{target}'"
        for name, number, room, target in tree.includes()
        if rooms.is_core(room) and re.match(r"(arrow|parquet)/", target)
    ]


def check_file_length(tree: Tree) -> list[str]:
    """No source file has more than MAX_LINES lines."""
    violations = []
    for name, content in sorted(tree.files.items()):
        count = len(content.splitlines())
        if PurePosixPath(name).suffix in SOURCE_SUFFIXES and count > MAX_LINES:
            violations.append(f"{name}: {count} lines, the limit is {MAX_LINES}")
    return violations


def check_machine_traces(tree: Tree) -> list[str]:
    """No file, data included, holds a path of one machine or the host of a package registry."""
    violations = []
    for name, content in sorted(tree.files.items()):
        for pattern, what in MACHINE_TRACES:
            if match := pattern.search(content):
                line = content.count(b"\n", 0, match.start()) + 1
                violations.append(f"{name}:{line}: {what}: {match.group().decode()}")
    return violations


def check_linked_libraries(program: str, ldd_output: str) -> list[str]:
    """What `ldd` printed of a program of the light core names no Arrow or Parquet library."""
    names = re.findall(r"\blib(?:arrow|parquet)[\w.]*", ldd_output)
    return [f"{program}: needs {library}" for library in sorted(set(names))]
