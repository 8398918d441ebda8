"""The checks of the repository's shape. Each takes what it looks at and returns the violations that
it found, one line of text each; none touches anything outside its arguments."""
import pathlib
import re

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
ROOM_INCLUDE = re.compile(r"nunatak/([a-z_]+)/")
ROOM_LISTS = re.compile(r"set\((NUNATAK_CORE_ROOMS|NUNATAK_FULL_ROOMS)\s+([^)]*)\)")
MAX_LINES = 800
CODE_SUFFIXES = {".cc", ".h", ".py", ".sh", ".cmake"}

# Written in pieces, so that this file does not match itself.
FOREIGN_TEXT = {
    "a path of one machine": rb"(?<![\w.])/(?:" + b"|".join((b"wo" b"rk", b"fa" b"rm", b"ro" b"ot"))
    + rb")/|(?<![\w.])/ho" rb"me/\w|/tm" rb"p/nn\b",
    "a host of a package registry": rb"\b(?:" + b"|".join(
        (rb"py" rb"pi\.org", rb"files\.python" rb"hosted\.org", rb"crates" rb"\.io",
         rb"registry\.npm" rb"js\.org", rb"deb\.deb" rb"ian\.org", rb"repo1?\.mav" rb"en\.")) + rb")",
    "the issue tracker": rb"(?i)\b(?:iss" rb"ue|tick" rb"et) #?\d",
}


def read_rooms(root):
    """The rooms in their order, as CMakeLists.txt lists them: (light core, beyond it)."""
    lists = dict(ROOM_LISTS.findall((root / "CMakeLists.txt").read_text()))
    return lists["NUNATAK_CORE_ROOMS"].split(), lists["NUNATAK_FULL_ROOMS"].split()


def sources(root, room="*"):
    folder = root / "src" / "nunatak"
    return sorted(f for f in folder.glob(f"{room}/**/*") if f.suffix in {".cc", ".h"})


def includes(file):
    return INCLUDE.findall(file.read_text())


def check_include_directions(root, rooms):
    """A room includes only itself and the rooms before it; a subfolder counts as its room."""
    found = []
    folder = root / "src" / "nunatak"
    for file in sources(root):
        room = file.relative_to(folder).parts[0]
        if room not in rooms:
            found.append(f"{file.relative_to(root)}: '{room}' is not a room in CMakeLists.txt")
            continue
        for path in includes(file):
            match = ROOM_INCLUDE.match(path)
            if match and match[1] not in rooms[: rooms.index(room) + 1]:
                found.append(f"{file.relative_to(root)}: {room} includes {path}")
    return found


def check_include_paths(root):
    """Own headers are included by their path from src: "nunatak/room/file.h", which exists."""
    found = []
    for file in sources(root):
        for path in includes(file):
            beside = (file.parent / path).is_file()
            missing = path.startswith("nunatak/") and not (root / "src" / path).exists()
            if beside or missing:
                found.append(f"{file.relative_to(root)}: include of {path}")
    return found


FORMAT_WORDS = re.compile(r"\b(?:hive|delta (?:lake|table|log))\b|_delta_log", re.IGNORECASE)


def check_planner_knows_no_format(root):
    """Planner and reader speak of no table format but the one whose specification they share."""
    return [
        f"{file.relative_to(root)}:{number}: {line.strip()}"
        for room in ("expr", "plan", "read")
        for file in sources(root, room)
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if FORMAT_WORDS.search(line)
    ]


def check_core_has_no_arrow(root, core_rooms):
    """No file of the light core includes a header of Arrow or Parquet."""
    return [
        f"{file.relative_to(root)}: includes {path}"
        for room in core_rooms
        for file in sources(root, room)
        for path in includes(file)
        if path.split("/")[0] in {"arrow", "parquet"}
    ]


def check_lengths(root, files):
    """No source file is longer than MAX_LINES."""
    found = []
    for file in files:
        if file.suffix in CODE_SUFFIXES:
            lines = file.read_bytes().count(b"\n")
            if lines > MAX_LINES:
                found.append(f"{file.relative_to(root)}: {lines} lines")
    return found


def check_foreign_text(root, files):
    """No file speaks of the machine that it was written on, or of anything but the project."""
    found = []
    for file in files:
        content = file.read_bytes()
        for what, pattern in FOREIGN_TEXT.items():
            match = re.search(pattern, content)
            if match:
                line = content.count(b"\n", 0, match.start()) + 1
                text = match[0].decode(errors="replace")
                found.append(f"{file.relative_to(root)}:{line}: {what}: {text}")
    return found


def check_cases(root):
    """Every test and file that tests/cases.md names exists."""
    text = (root / "tests" / "cases.md").read_text(encoding="utf-8")
    defined = set()
    for path in (root / "tests").rglob("*.cc"):
        found = re.findall(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        defined.update(".".join(names) for names in found)
    missing = [name for name in re.findall(r"`([A-Z]\w+\.\w+)`", text) if name not in defined]
    missing += [path for path in re.findall(r"tests/\w+/\w+\.\w+", text) if not (root / path).is_file()]
    return [f"tests/cases.md names {name}, which does not exist" for name in missing]


def check_names(root):
    """No file is named for being a collection of leftovers."""
    return [
        str(file.relative_to(root))
        for file in sources(root)
        if re.search(r"util|helper|common|misc", file.stem)
    ]


def check_libraries(program, listing):
    """`listing`, what ldd printed of `program`, names no library of Arrow or Parquet."""
    return [
        f"{pathlib.Path(program).name}: needs {name}"
        for name in re.findall(r"^\s*(lib(?:arrow|parquet)\S*)", listing, re.MULTILINE)
    ]


def check_tests_mirror_sources(root):
    """Each tests/<room>/<file>_test.cc tests a room that exists."""
    rooms = {f.name for f in (root / "src" / "nunatak").iterdir() if f.is_dir()}
    return [
        f"{file.relative_to(root)}: there is no room '{file.relative_to(root).parts[1]}'"
        for file in sorted((root / "tests").glob("*/**/*_test.cc"))
        if file.relative_to(root).parts[1] not in rooms
    ]
