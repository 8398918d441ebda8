"""Random tables that PyIceberg writes: appends, overwrites, deletes by filter (it copies on write),
schemas and partition specs that evolve, in versions 1 and 2.

The model is the rows that were appended and not deleted since, each with the schema of its append.
Values are those that PyIceberg can hold: dates of the years 1 to 9999, for instance.
"""
import copy
import json
import logging
import pathlib
import traceback
import warnings

import filters
import literals
from arrow_files import ArrowForm
from kinds import base, columns, leaves, structs
from model import Table, read_struct
from random_schemas import Schemas
from random_values import Values

try:
    from pyiceberg.catalog.memory import InMemoryCatalog
    from pyiceberg.expressions import (And, EqualTo, GreaterThanOrEqual, In, IsNull, LessThan,
                                       NotNull)
    from pyiceberg.schema import Schema
    from pyiceberg.transforms import parse_transform
    from pyiceberg.types import IcebergType
    from pydantic import TypeAdapter
except ImportError:
    InMemoryCatalog = None

FIRST_DAY, LAST_DAY = -719_162, 2_932_896
# Deletes compare these as the model does.
DELETED_BY = ("int", "long", "string", "date")


def installed():
    return InMemoryCatalog is not None


class TameValues(Values):
    """Values within what Python's own dates hold, of types whose every value has a partition."""

    def _null_rate(self, field):
        """PyIceberg makes null lists and maps empty ones wherever it changes a name or a type."""
        return 0 if base(field["type"]) in ("list", "map") else super()._null_rate(field)

    def _fresh(self, kind):
        name, found = base(kind), super()._fresh(kind)
        if name == "date":
            found = [v for v in found if FIRST_DAY <= v <= LAST_DAY]
        elif name.startswith("timestamp"):
            found = [v for v in found if FIRST_DAY <= v // 86_400_000_000 <= LAST_DAY]
        return found or [0]


class PyIcebergHistory:
    def __init__(self, rng, folder):
        self._rng = rng
        warnings.simplefilter("ignore")
        logging.disable(logging.WARNING)
        self.values = TameValues(rng)
        catalog = InMemoryCatalog("memory", warehouse=f"file://{folder}")
        catalog.create_namespace("ns")
        self._model = Table(2, [], [])
        self._schemas = Schemas(rng, self.values, self._model)
        fields = plainly_named(self._schemas.fields(rng.choice((1, 2, 4, 6))))
        self._table = catalog.create_table(
            "ns.t", schema=Schema.model_validate_json(schema_json(fields)),
            properties={"format-version": rng.choice(("1", "2", "2")),
                        "write.parquet.compression-codec": rng.choice(("zstd", "snappy", "gzip")),
                        "write.parquet.row-group-limit": rng.choice(("3", "1000")),
                        "commit.manifest-merge.enabled": rng.choice(("true", "false")),
                        "commit.manifest.min-count-to-merge": "2"})
        self._rows = []  # (fields, row)
        self.snapshots = []  # (snapshot id, fields, rows)

    @property
    def fields(self):
        return json.loads(self._table.schema().model_dump_json())["fields"]

    @property
    def location(self):
        return self._table.metadata_location.removeprefix("file://")

    def rows_of(self, fields):
        return read_all(fields, self._rows)

    def grow(self):
        """Random changes; those that PyIceberg fails at change nothing. False when there is no
        snapshot in the end."""
        changes = [self._append, self._append, self._evolve, self._evolve, self._delete,
                   self._overwrite, self._evolve_spec]
        chosen = [self._evolve_spec] if self._rng.random() < 0.7 else []
        chosen += [self._append, *self._rng.choices(changes, k=self._rng.choice((1, 3, 5, 8)))]
        for change in chosen:
            try:
                change()
            except Exception as error:
                if not raised_within("pyiceberg", error):
                    raise
                self._table.refresh()
        return bool(self.snapshots)

    # Rows.

    def _new_rows(self):
        fields = self.fields
        rows = [self.values.row(fields) for _ in range(self._rng.choice((1, 5, 20)))]
        return fields, rows, ArrowForm("PARQUET:field_id").table(fields, rows)

    def _note(self, fields):
        snapshot = self._table.current_snapshot()
        known = [snapshot_id for snapshot_id, _, _ in self.snapshots]
        if snapshot is not None and snapshot.snapshot_id not in known:
            self.snapshots.append((snapshot.snapshot_id, fields, list(self._rows)))

    def _append(self):
        fields, rows, table = self._new_rows()
        self._table.append(table)
        self._rows += [(fields, row) for row in rows]
        self._note(fields)

    def _delete(self):
        chosen = self._draw_filter()
        if chosen is None:
            return
        expression, predicate = chosen
        self._table.delete(predicate)
        self._drop(expression)
        self._note(self.fields)

    def _overwrite(self):
        chosen = self._draw_filter()
        if chosen is None:
            return
        expression, predicate = chosen
        fields, rows, table = self._new_rows()
        self._table.overwrite(table, overwrite_filter=predicate)
        self._drop(expression)
        self._rows += [(fields, row) for row in rows]
        self._note(fields)

    def _drop(self, expression):
        """PyIceberg writes what it keeps again, as of the newest schema; that has the same rows."""
        fields = self.fields
        self._rows = [(known, row) for known, row in self._rows
                      if not filters.keeps(expression, read_struct(fields, known, row, {}))]

    def _draw_filter(self):
        """A filter as the model has it, and as PyIceberg has it; None if no column can be used."""
        rng = self._rng
        candidates = [f for f in self.fields if f["type"] in DELETED_BY]
        if not candidates:
            return None
        field = rng.choice(candidates)
        pool, name = self.values.pool(field), field["name"]

        def leaf(op, *values):
            return (op, [field], [literals.Literal(v, field["type"]) for v in values])
        value = rng.choice(pool)
        some = rng.sample(pool, min(2, len(pool)))
        low, high = sorted((value, rng.choice(pool)))
        ranged = [(leaf("<", value), LessThan(name, value)),
                  (("and", leaf(">=", low), leaf("<", high)),
                   And(GreaterThanOrEqual(name, low), LessThan(name, high)))]
        return rng.choice([
            (leaf("=", value), EqualTo(name, value)), (leaf("in", *some), In(name, some)),
            (leaf("is null"), IsNull(name)), (leaf("is not null"), NotNull(name)),
            *(ranged if field["type"] != "string" else [])])

    # Schemas and specs.

    def _evolve(self):
        rng = self._rng
        with self._table.update_schema() as update:
            rng.choice((self._add, self._add, self._rename, self._drop_column, self._promote,
                        self._move))(update)

    def _top_names(self):
        return [field["name"] for field in self.fields]

    def _partition_names(self):
        return [f.name for spec in self._table.specs().values() for f in spec.fields]

    def _add(self, update):
        above = [(), *(path_names(path) for path in columns(self.fields)
                       if base(path[-1]["type"]) == "struct")]
        parent = self._rng.choice(above)
        name = f"added{self._rng.randrange(10**6)}"
        kind = self._schemas.kind(2)
        update.add_column((*parent, name), TypeAdapter(IcebergType).validate_json(
            json.dumps(plain_type(kind))))

    def _rename(self, update):
        path = self._rng.choice(list(columns(self.fields)))
        update.rename_column(path_names(path), f"renamed{self._rng.randrange(10**6)}")

    def _used(self):
        return {f.source_id for f in self._table.spec().fields}

    def _drop_column(self, update):
        top = [f for f in self.fields if not {p[-1]["id"] for p in columns([f])} & self._used()]
        if len(self.fields) > 1 and top:
            update.delete_column((self._rng.choice(top)["name"],))

    def _promote(self, update):
        wider = {"int": "long", "float": "double", "decimal(9, 2)": "decimal(20, 2)",
                 "decimal(18, 4)": "decimal(38, 4)"}
        found = [path for path in leaves(self.fields) if path[-1]["type"] in wider]
        if found:
            path = self._rng.choice(found)
            update.update_column(path_names(path), TypeAdapter(IcebergType).validate_json(
                json.dumps(wider[path[-1]["type"]])))

    def _move(self, update):
        update.move_first((self._rng.choice(self._top_names()),))

    def _evolve_spec(self):
        rng = self._rng
        with self._table.update_spec() as update:
            current = [f.name for f in self._table.spec().fields]
            if current and rng.random() < 0.5:
                update.remove_field(rng.choice(current))
                return
            candidates = [f for f in self.fields
                          if partitioned_by(f["type"]) and f["id"] not in self._used()]
            if candidates:
                field = rng.choice(candidates)
                update.add_field(field["name"], parse_transform(rng.choice(
                    partitioned_by(field["type"]))), f"p{rng.randrange(10**6)}")


def raised_within(package, error):
    """Whether an exception comes from a package, or from what that calls."""
    frames = [pathlib.Path(f.filename).parts for f in traceback.extract_tb(error.__traceback__)]
    return any(package in parts for parts in frames)


def partitioned_by(kind):
    """Transforms of a type, as PyIceberg writes them right."""
    return {"int": ["identity", "bucket[4]", "truncate[10]"], "string": ["identity", "bucket[3]"],
            "long": ["identity", "bucket[16]"], "date": ["day", "month", "year", "identity"],
            "timestamp": ["day", "month", "year", "hour"], "boolean": ["identity"],
            "timestamptz": ["day", "month"]}.get(kind if isinstance(kind, str) else "", [])


def path_names(path):
    return tuple(field["name"] for field in path)


def schema_json(fields):
    return json.dumps({"type": "struct", "schema-id": 0, "fields": fields})


def plainly_named(fields):
    """The fields, without dots in their names: PyIceberg refuses those."""
    fields = copy.deepcopy(fields)
    for siblings in structs(fields):
        for field in siblings:
            field["name"] = field["name"].replace(".", "_")
    return fields


def plain_type(kind):
    """The same for a type that is added somewhere."""
    return plainly_named([{"id": 0, "name": "x", "type": kind}])[0]["type"]


def read_all(fields, rows):
    return [read_struct(fields, known, row, {}) for known, row in rows]
