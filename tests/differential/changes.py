"""Which rows changed between two snapshots of a table of the model."""
import collections
import json

import cells
import kinds
import model


def _unordered(form, kind):
    """The order of a map's entries does not matter to whether rows are the same."""
    name = kinds.base(kind)
    if form is None or name not in ("struct", "list", "map"):
        return form
    if name == "struct":
        return {f["name"]: _unordered(form[f["name"]], f["type"]) for f in kind["fields"]}
    if name == "list":
        return [_unordered(item, kind["element"]) for item in form]
    return sorted(([_unordered(key, kind["key"]), _unordered(value, kind["value"])]
                   for key, value in form), key=cells.row_text)


class Changes:
    """Of the snapshots after one, exclusive, to another: numbers of commits, 0 for the beginning."""

    def __init__(self, table, first, last):
        self._table, self._first, self._last = table, first, last
        schema_id = table.commits[last - 1].schema_id
        self._fields = next(s["fields"] for s in table.schemas if s["schema-id"] == schema_id)
        self.row_kind = {"type": "struct", "fields": self._fields}

    def range(self):
        """FROM and TO as nunatak takes them."""
        first = str(self._table.commits[self._first - 1].snapshot_id) if self._first else "-"
        return first, str(self._table.commits[self._last - 1].snapshot_id)

    def _rows(self, commits):
        rows = model.expected(self._table, self._fields, commits) if commits else []
        return collections.Counter(
            self._text(cells.canonical(row, self.row_kind)) for row in rows)

    def _text(self, form):
        return cells.row_text(_unordered(form, self.row_kind))

    def net(self):
        return self._between(self._first, self._last, ())

    def each(self):
        """With the ordinal and the snapshot of each change."""
        found = []
        for number in range(self._first, self._last):
            commit = self._table.commits[number]
            found += self._between(number, number + 1,
                                   (number - self._first, commit.snapshot_id))
        return found

    def _between(self, before, after, where):
        old, new = self._rows(before), self._rows(after)
        return [("delete", *where, row) for row in (old - new).elements()] + \
            [("insert", *where, row) for row in (new - old).elements()]

    def printed(self, line, with_place):
        row = json.loads(line)
        kind, *place = (row.pop(name)
                        for name in ("_change_type", "_change_ordinal", "_commit_snapshot_id"))
        return (kind, *(place if with_place else ()),
                self._text(cells.printed(row, self.row_kind)))


def check(subject, reader, compare):
    """The changes between two random snapshots, one by one and in the net."""
    table, rng = subject.table, subject.rng
    last = rng.randint(1, len(table.commits))
    changes = Changes(table, rng.randrange(last), last)
    ends = changes.range()
    memory = rng.choice(("512MB", "1KB"))  # With little, rows meet in temporary files.
    for options, want in (((), changes.each()), (("--net",), changes.net())):
        got = [changes.printed(line, not options)
               for line in reader.lines("changes", subject.location, *ends, *options, "--memory",
                                        memory, "--format", "ndjson")]
        compare(f"changes {' '.join(ends + options)} --memory {memory}", got, want)
