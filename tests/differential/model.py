"""A table as plain rows: what was written, and which rows a reader must find.

Everything here follows the specification's words: "Column Projection", "Scan Planning" and
"Row-level Deletes". It knows nothing of how files are encoded; construct.py writes what is
described here.
"""
import dataclasses
import math

import transforms
from kinds import base, is_nested, path_to, promote, value_at

ROW_ID = {"id": 2147483540, "name": "_row_id", "required": False, "type": "long"}
LAST_UPDATED = {"id": 2147483539, "name": "_last_updated_sequence_number", "required": False,
                "type": "long"}
# The metadata columns that are compared, with ids of no other column.
METADATA_COLUMNS = [
    {"id": -1, "name": "_file", "required": True, "type": "string"},
    {"id": -2, "name": "_pos", "required": True, "type": "long"},
    {"id": -3, "name": "_spec_id", "required": True, "type": "int"},
    {"id": -4, "name": "_row_id", "required": False, "type": "long"},
    {"id": -5, "name": "_last_updated_sequence_number", "required": False, "type": "long"}]
PARTITION_ID = -7
DELETED = {"id": -6, "name": "_deleted", "required": True, "type": "boolean"}

LOCATION = "s3://lake/wh/table/"  # What paths are below.


@dataclasses.dataclass
class DataFile:
    path: str
    format: str  # PARQUET, AVRO or ORC.
    fields: list  # The columns that the file has, with their types when it was written.
    rows: list  # In the file's order, as dictionaries by field id.
    spec_id: int
    partition: tuple
    sequence: int
    with_ids: bool = True
    first_row_id: int | None = None
    seed: int = 0  # Decides how the file is encoded.
    # Of rows that were rewritten: which they were, (file, position), or None for new ones.
    sources: list | None = None

    def lineage(self, position):
        """(row id, sequence number of the last change) of a row; (None, None) before version 3."""
        row = self.rows[position]
        if self.first_row_id is None:
            return None, None
        row_id, changed = row.get(ROW_ID["id"]), row.get(LAST_UPDATED["id"])
        return (self.first_row_id + position if row_id is None else row_id,
                self.sequence if changed is None else changed)

    def resolve_sources(self):
        """Stores the lineage of rewritten rows, once their files have row ids."""
        if self.sources is None:
            return
        self.fields = [*self.fields, ROW_ID, LAST_UPDATED]
        for row, source in zip(self.rows, self.sources):
            row_id, changed = source[0].lineage(source[1]) if source else (None, None)
            row |= {ROW_ID["id"]: row_id, LAST_UPDATED["id"]: changed}


@dataclasses.dataclass
class DeleteFile:
    kind: str  # positions, vector or equality.
    path: str
    format: str  # PUFFIN for vectors.
    spec_id: int
    partition: tuple
    sequence: int
    positions: dict = dataclasses.field(default_factory=dict)  # Of rows, by data file's path.
    fields: list = dataclasses.field(default_factory=list)  # As of a data file: equality deletes.
    rows: list = dataclasses.field(default_factory=list)
    equality_ids: tuple = ()
    seed: int = 0


@dataclasses.dataclass
class Commit:
    """One snapshot. `merge_manifests`: what earlier snapshots wrote is written again."""
    sequence: int
    format_version: int
    schema_id: int
    added: list = dataclasses.field(default_factory=list)  # Data and delete files.
    removed: list = dataclasses.field(default_factory=list)
    merge_manifests: bool = False
    snapshot_id: int = 0


@dataclasses.dataclass
class Table:
    format_version: int
    schemas: list  # {"schema-id", "fields"}; the last is the current one.
    specs: list  # {"spec-id", "fields"}
    default_spec_id: int = 0
    last_column_id: int = 0
    last_partition_id: int = 999
    name_mapping: list | None = None
    commits: list = dataclasses.field(default_factory=list)

    @property
    def fields(self):
        return self.schemas[-1]["fields"]

    def spec(self, spec_id):
        return next(spec for spec in self.specs if spec["spec-id"] == spec_id)

    def is_unpartitioned(self, spec_id):
        return all(field["transform"] == "void" for field in self.spec(spec_id)["fields"])

    def live(self, commits=None):
        """(data files, delete files) after the first `commits` commits: of all, when None."""
        files = {}
        for commit in self.commits[:commits]:
            for file in commit.removed:
                del files[id(file)]
            files |= {id(file): file for file in commit.added}
        return ([f for f in files.values() if isinstance(f, DataFile)],
                [f for f in files.values() if isinstance(f, DeleteFile)])

    def known_field(self, field_id):
        """A column's path by its newest definition, though it was dropped since."""
        for schema in reversed(self.schemas):
            path = path_to(schema["fields"], field_id)
            if path:
                return path
        raise KeyError(field_id)


def same_partition(a, b):
    """Null is equal to null, NaN to NaN; 0.0 and -0.0 are two, as in the reference engine."""
    def form(value):
        return value.hex() if isinstance(value, float) else value
    return a.spec_id == b.spec_id and [*map(form, a.partition)] == [*map(form, b.partition)]


def constants(table, file):
    """The identity partition values of a file, by source column."""
    fields = table.spec(file.spec_id)["fields"]
    return {field["source-id"]: value for field, value in zip(fields, file.partition)
            if field["transform"] == "identity"}


def _read_value(value, source, target, fixed):
    if value is None or not is_nested(target):
        return promote(value, source, target)
    kind = target["type"]
    if kind == "struct":
        return read_struct(target["fields"], source["fields"], value, fixed)
    if kind == "list":
        return [_read_value(item, source["element"], target["element"], fixed) for item in value]
    return [(_read_value(k, source["key"], target["key"], fixed),
             _read_value(v, source["value"], target["value"], fixed)) for k, v in value]


def _read_field(field, source, stored, fixed):
    if field["type"] == "unknown":
        return None
    if source is not None and source["type"] == "unknown":
        return None
    if source is not None:
        return _read_value(stored[field["id"]], source["type"], field["type"], fixed)
    if field["id"] in fixed:
        return fixed[field["id"]]
    return default_of(field)


def default_of(field):
    """Of a struct that is not null by default: each field's own default."""
    default = field.get("default")
    if default is None or base(field["type"]) != "struct":
        return default
    return {part["id"]: default_of(part) for part in field["type"]["fields"]}


def read_struct(fields, file_fields, stored, fixed):
    """What a reader of `fields` finds in a struct that was written with `file_fields`."""
    by_id = {field["id"]: field for field in file_fields}
    return {f["id"]: _read_field(f, by_id.get(f["id"]), stored, fixed) for f in fields}


def _key_form(value):
    """Null equals null and NaN equals NaN; 0.0 and -0.0 differ, as docs/deletes.md has it."""
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else value.hex()
    return value


def _key(paths, row):
    return tuple(_key_form(value_at(row, path)) for path in paths)


def _branches(paths):
    """The columns of a schema that hold the given paths, pruned to those."""
    below = {}
    for top, *rest in paths:
        below.setdefault(top["id"], (top, []))[1].append(rest)
    return [top if [] in rests else
            {**top, "type": {"type": "struct", "fields": _branches(rests)}}
            for top, rests in below.values()]


def _equality_keys(table, delete):
    paths = [table.known_field(field_id) for field_id in delete.equality_ids]
    fields = _branches(paths)
    keys = {_key(paths, read_struct(fields, delete.fields, row, {})) for row in delete.rows}
    return paths, fields, keys


def _applies(table, delete, file):
    """The specification's scope of an equality delete file."""
    return file.sequence < delete.sequence and (
        table.is_unpartitioned(delete.spec_id) or same_partition(delete, file))


def deleted_positions(deletes, file):
    """The rows that a vector deletes, or else those that position delete files do."""
    mine = [d for d in deletes if d.kind != "equality" and d.sequence >= file.sequence
            and same_partition(d, file) and file.path in d.positions]
    vectors = [d for d in mine if d.kind == "vector"]
    return {pos for d in vectors or mine for pos in d.positions[file.path]}


def surviving(table, file, deletes):
    """Yields (position, stored row) of the rows of a file that no delete removes."""
    gone = deleted_positions(deletes, file)
    fixed = constants(table, file)
    filters = [_equality_keys(table, d) for d in deletes
               if d.kind == "equality" and _applies(table, d, file)]
    for position, row in enumerate(file.rows):
        if position in gone:
            continue
        if not any(_key(paths, read_struct(fields, file.fields, row, fixed)) in keys
                   for paths, fields, keys in filters):
            yield position, row


def partition_column(table):
    """The metadata column of the partition values: the fields of all specs by their newest names;
    where several had one name in turn, all but the newest have their id behind it."""
    known = {}
    for spec in table.specs:
        for field in spec["fields"]:
            if field["transform"] == "void" and field["field-id"] in known:
                known[field["field-id"]]["name"] = field["name"]
                continue  # The values of the specs before are not of the source's type.
            source = table.known_field(field["source-id"])[-1]["type"]
            kind = transforms.result_type(field["transform"], source)
            known[field["field-id"]] = {"id": field["field-id"], "name": field["name"],
                                        "required": False, "type": kind}
    newest = {known[field_id]["name"]: field_id for field_id in sorted(known)}
    fields = [field if newest[field["name"]] == field_id
              else {**field, "name": f"{field['name']}_{field_id}"}
              for field_id, field in sorted(known.items())]
    return {"id": PARTITION_ID, "name": "_partition", "required": False,
            "type": {"type": "struct", "fields": fields}}


def _metadata(table, file, position, partition_fields):
    row_id, changed = file.lineage(position)
    own = zip(table.spec(file.spec_id)["fields"], file.partition)
    partition = {field["id"]: None for field in partition_fields}
    partition |= {field["field-id"]: value for field, value in own}
    return {-1: LOCATION + file.path, -2: position, -3: file.spec_id, -4: row_id, -5: changed,
            PARTITION_ID: partition}


def expected(table, fields, commits=None, metadata=False):
    """The rows of a snapshot, read as a schema of `fields`, with METADATA_COLUMNS if wanted."""
    data, deletes = table.live(commits)
    found, partition_fields = [], partition_column(table)["type"]["fields"]
    for file in data:
        fixed = constants(table, file)
        found += [read_struct(fields, file.fields, row, fixed)
                  | (_metadata(table, file, position, partition_fields) if metadata else {})
                  for position, row in surviving(table, file, deletes)]
    return found


def appended(table, fields, after):
    """The rows that appends added after the first `after` commits, whatever became of them since."""
    found = []
    for commit in table.commits[after:]:
        if commit.removed or not all(isinstance(file, DataFile) for file in commit.added):
            continue
        for file in commit.added:
            fixed = constants(table, file)
            found += [read_struct(fields, file.fields, row, fixed) for row in file.rows]
    return found


def marked(table, fields):
    """All rows of the live files, with DELETED."""
    data, deletes = table.live()
    found = []
    for file in data:
        fixed = constants(table, file)
        kept = {position for position, _ in surviving(table, file, deletes)}
        found += [read_struct(fields, file.fields, row, fixed) | {DELETED["id"]: i not in kept}
                  for i, row in enumerate(file.rows)]
    return found
