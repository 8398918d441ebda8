"""Random histories: a table of the model, changed by one commit after the other."""
import copy
import dataclasses

from avro_encoding import avro_name
from kinds import base, is_nested, leaves, parts
from model import Commit, DataFile, DeleteFile, Table, constants, read_struct, surviving
from random_schemas import Schemas, partition_of
from random_values import Values

BIG_FILE_ROWS = 9000  # Deletion vectors have bitmap containers from 4,097 positions on.
# ORC as Arrow writes it holds timestamps as nanoseconds.
ORC_NANOS = range(-9 * 10**18, 9 * 10**18)


@dataclasses.dataclass(frozen=True)
class Features:
    """What tables may have."""
    formats: tuple = ("PARQUET", "PARQUET", "PARQUET", "AVRO", "ORC")
    delete_formats: tuple = ("PARQUET", "PARQUET", "AVRO", "ORC")
    equality_deletes: bool = True
    metadata_columns: bool = True
    versions: tuple = (1, 2, 2, 3, 3, 3)


class History:
    def __init__(self, rng, features):
        self._rng, self._features = rng, features
        self._files = 0
        self.values = Values(rng)
        version = rng.choice(features.versions)
        self.table = Table(version, [], [])
        self._schemas = Schemas(rng, self.values, self.table)
        self.table.schemas.append(
            {"schema-id": 0, "fields": self._schemas.fields(rng.choice((1, 2, 3, 4, 5, 7)))})
        self._schemas.evolve_spec()
        if rng.random() < 0.1:
            self.table.specs[0]["fields"].clear()
        self._import_files()

    def grow(self):
        """Random changes; the last of them is a commit."""
        self._append()
        for _ in range(self._rng.choice((0, 1, 2, 4, 6, 8, 10))):
            self._change()
        return self.table

    def _change(self):
        rng, version = self._rng, self.table.format_version
        changes = [self._append] * 3 + [self._schemas.evolve] * 5 + [self._remove, self._rewrite]
        changes += [self._schemas.evolve_spec, self._upgrade]
        if version >= 2:
            changes += [self._delete_positions if version == 2 else self._delete_by_vector] * 4
            changes += [self._compact]
            changes += [self._delete_by_equality] * 4 * self._features.equality_deletes
        rng.choice(changes)()

    # Commits.

    def _commit(self, added=(), removed=()):
        table = self.table
        table.commits.append(Commit(
            sequence=self._next_sequence(), format_version=table.format_version,
            schema_id=table.schemas[-1]["schema-id"], added=list(added), removed=list(removed),
            merge_manifests=self._rng.random() < 0.15,
            snapshot_id=self._rng.getrandbits(62) + 1))

    def _next_sequence(self):
        """Tables of version 1 have no sequence numbers: all are 0."""
        before = self.table.commits[-1].sequence if self.table.commits else 0
        return before + (self.table.format_version > 1)

    def _upgrade(self):
        self.table.format_version = min(3, self.table.format_version + 1)

    def _path(self, name, extension):
        self._files += 1
        return f"data/{self._files:03}-{name}.{extension.lower()}"

    # Data files.

    def _import_files(self):
        """Some tables begin with files of another writer, which have no field ids."""
        if self._rng.random() < 0.15:
            self._commit(self._data_files(with_ids=False))
            self.table.name_mapping = name_mapping(self.table.fields)

    def _append(self):
        """At times with deletes of what was there before, as streaming writers do."""
        files = self._data_files()
        if self._features.equality_deletes and self.table.format_version > 1 \
                and self._rng.random() < 0.1:
            files += self._equality_deletes()
        self._commit(files)

    def _data_files(self, with_ids=True):
        rng, table = self._rng, self.table
        rows = [self._placed_row() for _ in range(self._row_count())]
        grouped = {}
        for partition, row in rows:
            grouped.setdefault(repr(partition), (partition, []))[1].append(row)
        return [file for partition, group in grouped.values()
                for file in self._files_of(partition, group, table.default_spec_id, with_ids)]

    def _row_count(self):
        if self._rng.random() < 0.01 and len(leaves_of(self.table.fields)) < 6:
            return BIG_FILE_ROWS
        return self._rng.choice((1, 2, 5, 10, 10, 20, 40))

    def _placed_row(self):
        """(partition, row)"""
        table = self.table
        for _ in range(50):
            row = self.values.row(table.fields)
            try:
                return partition_of(table, table.default_spec_id, row, table.fields), row
            except OverflowError:
                continue
        self._replace_sources()
        return self._placed_row()

    def _replace_sources(self):
        """Every value of some pool has no partition: choose other pools."""
        for path in leaves(self.table.fields):
            pool = self.values.pool(path[-1])
            if all(isinstance(value, int) for value in pool):
                pool[:] = [True] if path[-1]["type"] == "boolean" else [1]

    def _files_of(self, partition, rows, spec_id, with_ids):
        """One file, or two."""
        rng = self._rng
        cut = rng.randint(1, len(rows)) if rng.random() < 0.3 else len(rows)
        for part in filter(None, (rows[:cut], rows[cut:])):
            yield self._data_file(partition, part, spec_id, with_ids)

    def _data_file(self, partition, rows, spec_id, with_ids):
        fields = self._written_fields(spec_id)
        rows = [strip(row, fields) for row in rows]
        format_name = self._format(fields, rows)
        return DataFile(
            path=self._path("data", format_name), format=format_name, fields=fields, rows=rows,
            spec_id=spec_id, partition=partition, sequence=self._next_sequence(),
            with_ids=with_ids, seed=self._rng.getrandbits(32))

    def _format(self, fields, rows):
        name = self._rng.choice(self._features.formats)
        return "PARQUET" if name == "ORC" and not fits_orc(fields, rows) else name

    def _written_fields(self, spec_id):
        """The columns that writers store: some leave out those of identity partitions. A file has
        one column at least."""
        fields = copy.deepcopy(self.table.fields)
        identities = {f["source-id"] for f in self.table.spec(spec_id)["fields"]
                      if f["transform"] == "identity"}
        left_out = [f for f in fields if f["id"] in identities] if self._rng.random() < 0.15 else []
        kept = [f for f in fields if f not in left_out]
        return kept if any(f["type"] != "unknown" for f in kept) else fields

    def _live(self):
        return self.table.live()

    def _some_data_files(self, most):
        data, _ = self._live()
        return self._rng.sample(data, min(len(data), self._rng.randint(1, most)))

    def _stale_vectors(self, removed):
        """The vectors of data files that go: one may stay, dangling."""
        _, deletes = self._live()
        paths = {file.path for file in removed}
        return [d for d in deletes if d.kind == "vector" and paths & d.positions.keys()
                and self._rng.random() < 0.8]

    def _remove(self):
        files = self._some_data_files(2)
        self._commit(removed=files + self._stale_vectors(files))

    def _rewrite(self):
        """Copy on write: some rows of a file are new, and some go."""
        files = self._some_data_files(1)
        if not files or not self._is_current(files[0]):
            return
        kept = [source for source in self._survivors(files[0]) if self._rng.random() < 0.8]
        fresh = [row for partition, row in (self._placed_row() for _ in range(2))
                 if repr(partition) == repr(files[0].partition)]
        self._commit(self._rewritten(files[0], kept, fresh), files + self._stale_vectors(files))

    def _is_current(self, file):
        return file.spec_id == self.table.default_spec_id

    def _survivors(self, file):
        """(position, row as it is read now) of the rows that are not deleted."""
        fields, fixed = self.table.fields, constants(self.table, file)
        return [(position, read_struct(fields, file.fields, row, fixed))
                for position, row in surviving(self.table, file, self._live()[1])]

    def _rewritten(self, file, kept, fresh=()):
        """One file of rows of `file` and of new ones; from version 3 on, rows keep their ids."""
        rows = [row for _, row in kept] + list(fresh)
        if not rows:
            return []
        made = self._data_file(file.partition, rows, file.spec_id, with_ids=True)
        if self.table.format_version >= 3:
            made.sources = [(file, position) for position, _ in kept] + [None] * len(fresh)
        return [made]

    def _compact(self):
        """A file is written again without its deleted rows, under its old sequence number or
        under the new one."""
        files = self._some_data_files(1)
        if not files or not self._is_current(files[0]):
            return
        added = self._rewritten(files[0], self._survivors(files[0]))
        if self._rng.random() < 0.5:
            for file in added:
                file.sequence = files[0].sequence
        self._commit(added, files + self._stale_vectors(files))

    # Deletes.

    def _some_positions(self, file):
        rng, rows = self._rng, len(file.rows)
        share = rng.choice((0.1, 0.3, 0.6, 1))
        start, stop = sorted((rng.randint(0, rows), rng.randint(0, rows)))
        return [p for p in range(rows) if rng.random() < share or start <= p < stop][:rows - 1] \
            or [rows - 1]

    def _delete_positions(self):
        """Position deletes of data files of one partition: one delete file for all, or each its
        own."""
        files = self._some_data_files(4)
        if not files:
            return
        scope = [f for f in files if repr((f.spec_id, f.partition))
                 == repr((files[0].spec_id, files[0].partition))]
        groups = [scope] if self._rng.random() < 0.5 else [[f] for f in scope]
        self._commit([self._position_deletes(group) for group in groups])

    def _position_deletes(self, files):
        format_name = self._rng.choice(self._features.delete_formats)
        return DeleteFile(
            kind="positions", path=self._path("deletes", format_name), format=format_name,
            spec_id=files[0].spec_id, partition=files[0].partition, sequence=self._next_sequence(),
            positions={f.path: self._some_positions(f) for f in files},
            seed=self._rng.getrandbits(32))

    def _delete_by_vector(self):
        """A vector holds all positions that were deleted before, and replaces the one before it.
        Several share a Puffin file."""
        files, (_, deletes) = self._some_data_files(3), self._live()
        path = self._path("vectors", "puffin")
        added, removed, seed = [], [], self._rng.getrandbits(32)
        for file in files:
            mine = [d for d in deletes if d.kind != "equality" and file.path in d.positions]
            positions = set(self._some_positions(file))
            positions.update(*(d.positions[file.path] for d in mine))
            removed += [d for d in mine if d.kind == "vector"]
            added.append(DeleteFile(
                kind="vector", path=path, format="PUFFIN", spec_id=file.spec_id,
                partition=file.partition, sequence=self._next_sequence(),
                positions={file.path: sorted(positions)}, seed=seed))
        self._commit(added, removed)

    def _delete_by_equality(self):
        deletes = self._equality_deletes()
        if deletes:
            self._commit(deletes)

    def _equality_deletes(self):
        """One file, or two of the same columns."""
        files = self._some_data_files(1)
        candidates = [path for path in leaves(self.table.fields) if keyed(path[-1]["type"])]
        if not files or not candidates:
            return []
        count = min(len(candidates), self._rng.choice((1, 1, 1, 2, 3)))
        chosen = self._rng.sample(candidates, count)
        return [self._equality_delete(files[0], chosen)
                for _ in range(self._rng.choice((1, 1, 1, 2)))]

    def _equality_delete(self, file, paths):
        """Deletes what has the keys of some rows of `file`, in its partition or, under a spec
        without partitions, everywhere."""
        rng, table = self._rng, self.table
        rows = [row for _, row in self._survivors(file) if rng.random() < rng.choice((0.1, 0.4))]
        rows += [self.values.row(table.fields) for _ in range(rng.randint(0 if rows else 1, 2))]
        scope, partition = self._equality_scope(file)
        fields = [f for f in table.fields
                  if any(path[0]["id"] == f["id"] for path in paths) or rng.random() < 0.2]
        format_name = rng.choice(self._features.delete_formats)
        rows = [strip(row, fields) for row in rows]
        format_name = format_name if format_name != "ORC" or fits_orc(fields, rows) else "PARQUET"
        return DeleteFile(
            kind="equality", path=self._path("equality", format_name), format=format_name,
            spec_id=scope, partition=partition, sequence=self._next_sequence(),
            fields=copy.deepcopy(fields), rows=rows, seed=rng.getrandbits(32),
            equality_ids=tuple(path[-1]["id"] for path in paths))

    def _equality_scope(self, file):
        table = self.table
        unpartitioned = [s["spec-id"] for s in table.specs if table.is_unpartitioned(s["spec-id"])]
        if unpartitioned and self._rng.random() < 0.3:
            spec = table.spec(self._rng.choice(unpartitioned))
            return spec["spec-id"], (None,) * len(spec["fields"])
        return file.spec_id, file.partition


def keyed(kind):
    return base(kind) not in ("unknown", "geometry", "geography", "variant")


def leaves_of(fields):
    """All primitive columns, those in lists and maps included."""
    found = []
    for field in fields:
        found += leaves_of(parts(field["type"])) if is_nested(field["type"]) else [field]
    return found


def strip(row, fields):
    return {field["id"]: row[field["id"]] for field in fields}


def fits_orc(fields, rows):
    """Whether Arrow's ORC writer stores the rows as they are. It shifts the values of structs in
    structs where one is null, and in ORC a moment within the second before 1970 is one after it."""
    nested = [part for f in fields if is_nested(f["type"]) for part in parts(f["type"])]
    if any(is_nested(part["type"]) or part["type"].startswith(("timestamp", "variant"))
           for part in nested):
        return False
    stamped = [(f, 1 if f["type"].endswith("_ns") else 1000) for f in fields
               if not is_nested(f["type"]) and f["type"].startswith("timestamp")]
    return all(row[f["id"]] is None or row[f["id"]] * scale in ORC_NANOS
               and not -10**9 < row[f["id"]] * scale < 0 for f, scale in stamped for row in rows)


def name_mapping(fields):
    """The property schema.name-mapping.default for the names that files have now."""
    mapped = []
    for field in fields:
        names = sorted({field["name"], avro_name(field["name"])})
        entry = {"field-id": field["id"], "names": names}
        if is_nested(field["type"]):
            entry["fields"] = name_mapping(parts(field["type"]))
        mapped.append(entry)
    return mapped


