"""Random schemas and partition specs, and how they evolve."""
import copy

import transforms
from cells import to_json
from kinds import (UNITS_PER_DAY, V3_TYPES, base, columns, is_nested, leaves, parameters, path_to,
                   structs, value_at)

PRIMITIVES = ["boolean", "int", "int", "long", "long", "float", "double", "decimal", "date", "time",
              "timestamp", "timestamptz", "string", "string", "uuid", "fixed", "binary"]
NAMES = ["id", "name", "value", "ts", "day", "price", "x", "y", "kind", "data", "pos", "file_path",
         "a.b", "two words", "select", "Ünïcode", "9th", 'quo"te', "element", "key", "Name", "null"]
DECIMALS = ["decimal(9, 2)", "decimal(18, 4)", "decimal(38, 10)", "decimal(38, 38)",
            "decimal(5, 0)", "decimal(1, 0)", "decimal(20, 3)"]
WIDTHS = {"bucket": (1, 2, 4, 16), "truncate": (1, 2, 3, 10, 100)}
MAX_DEPTH = 3


class Schemas:
    shapes = ("struct", "struct", "list", "map")  # Of nested columns.

    def __init__(self, rng, values, table):
        self._rng, self._values, self._table = rng, values, table

    # What there is.

    def _next_id(self):
        self._table.last_column_id += self._rng.choice((1, 1, 1, 2, 5))
        return self._table.last_column_id

    def _primitive(self):
        rng = self._rng
        if self._table.format_version >= 3 and rng.random() < 0.25:
            return rng.choice(V3_TYPES)
        name = rng.choice(PRIMITIVES)
        if name == "decimal":
            return rng.choice(DECIMALS)
        return rng.choice(("fixed[1]", "fixed[3]", "fixed[16]")) if name == "fixed" else name

    def kind(self, depth=1):
        rng = self._rng
        if depth >= MAX_DEPTH or rng.random() < 0.75:
            return self._primitive()
        shape = rng.choice(self.shapes)
        if shape == "struct":
            return {"type": "struct", "fields": self.fields(rng.randint(1, 3), depth + 1)}
        if shape == "list":
            return {"type": "list", "element-id": self._next_id(),
                    "element": self._solid(depth + 1), "element-required": rng.random() < 0.3}
        key = rng.choice(("string", "int", "long", "date", "uuid", "decimal(9, 2)", "string"))
        return {"type": "map", "key-id": self._next_id(), "key": key,
                "value-id": self._next_id(), "value": self._solid(depth + 1),
                "value-required": rng.random() < 0.3}

    def _solid(self, depth):
        """A type that files have a column for."""
        kind = self.kind(depth)
        return "int" if kind == "unknown" else kind

    def field(self, taken, depth=1):
        field_id, kind = self._next_id(), self.kind(depth)
        required = kind != "unknown" and self._rng.random() < 0.25
        name = self._free_name(taken)
        return {"id": field_id, "name": name, "required": required, "type": kind}

    def _free_name(self, taken):
        free = [name for name in NAMES if name not in taken]
        return self._rng.choice(free) if free else f"c{self._table.last_column_id}"

    def fields(self, count, depth=1):
        made = []
        for _ in range(count):
            made.append(self.field([f["name"] for f in made], depth))
        if all(f["type"] == "unknown" for f in made):
            made[0] |= {"type": "int"}  # Something must tell which structs are null.
        return made

    # How it evolves: each changes `fields`, a copy of the current ones, or returns False.

    def evolve(self):
        """Adds the next schema to the table, unless what was drawn cannot be done."""
        rng = self._rng
        fields = copy.deepcopy(self._table.fields)
        change = rng.choice((self._add, self._add, self._drop, self._rename, self._reorder,
                             self._promote, self._promote, self._relax))
        if change(fields) is False:
            return
        schema_id = self._table.schemas[-1]["schema-id"] + 1
        self._table.schemas.append({"schema-id": schema_id, "fields": fields})

    def _siblings(self, fields):
        return self._rng.choice(list(structs(fields)))

    def _add(self, fields):
        siblings = self._siblings(fields)
        depth = 1 if siblings is fields else 2
        taken = [f["name"] for f in siblings] + self._partition_names()
        field = self.field(taken, depth)
        field["required"] = False
        if self._table.format_version >= 3:
            self._add_default(field)
        siblings.insert(self._rng.randint(0, len(siblings)), field)

    def _add_default(self, field):
        """Of a struct the default says only that it is not null: its fields have theirs."""
        kind = field["type"]
        if base(kind) == "struct":
            for part in kind["fields"]:
                self._add_default(part)
            solid = all("default" in part or not part["required"] for part in kind["fields"])
            value = {} if solid else None
        else:
            value = self._default_value(field)
        if value is None or self._rng.random() < (0.15 if is_nested(kind) else 0.5):
            return
        field["default"] = value
        field["initial-default"] = field["write-default"] = to_json(value, kind)
        field["required"] = self._rng.random() < 0.4

    def _default_value(self, field):
        kind = field["type"]
        if not is_nested(kind):
            without = ("unknown", "geometry", "geography", "variant")
            return None if kind in without else self._rng.choice(self._values.pool(field))
        # What is below may be promoted in structs alone, which then have an older default.
        without = ("'struct'", "'unknown'", "'geometry'", "'geography'", "'variant'")
        if any(name in repr(kind) for name in without):
            return None
        return self._values.of({**field, "required": True})

    def _partition_names(self):
        return [f["name"] for spec in self._table.specs for f in spec["fields"]]

    def _partition_sources(self, all_specs=True):
        """Ids that a spec refers to: those of the default spec cannot be dropped."""
        return {f["source-id"]: f["transform"] for spec in self._table.specs for f in spec["fields"]
                if all_specs or spec["spec-id"] == self._table.default_spec_id}

    def _drop(self, fields):
        siblings = self._siblings(fields)
        field = self._rng.choice(siblings)
        used = self._partition_sources(all_specs=False)
        if len(siblings) == 1 or any(path[-1]["id"] in used for path in columns([field])):
            return False
        siblings.remove(field)
        return any(f["type"] != "unknown" for f in siblings)

    def _rename(self, fields):
        siblings = self._siblings(fields)
        taken = [f["name"] for f in siblings] + self._partition_names()
        self._rng.choice(siblings)["name"] = self._free_name(taken)

    def _reorder(self, fields):
        self._rng.shuffle(self._siblings(fields))

    def _relax(self, fields):
        self._rng.choice(self._siblings(fields))["required"] = False

    def _promote(self, fields):
        candidates = [f for siblings in structs(fields) for f in siblings if self._wider(f)]
        if not candidates:
            return False
        field = self._rng.choice(candidates)
        field["type"] = self._rng.choice(self._wider(field))
        return True

    def _wider(self, field):
        """The types that a column may be promoted to. Lists and maps: their parts are left alone,
        but for those in structs."""
        kind = field["type"]
        if base(kind) == "decimal":
            precision, scale = parameters(kind)
            return [f"decimal({p}, {scale})" for p in (precision + 1, 38) if precision < p <= 38]
        if kind == "date":
            return self._wider_than_date(field)
        if kind == "unknown":
            return ["int", "string", "double"]
        return {"int": ["long"], "float": ["double"]}.get(kind if isinstance(kind, str) else "", [])

    def _wider_than_date(self, field):
        kept = ("year", "month", "day", "void")
        if self._table.format_version < 3 or "default" in field \
                or self._partition_sources().get(field["id"], "void") not in kept:
            return []
        most = max((abs(days) for days in self._values.pool(field)), default=0)
        return [name for name, units in UNITS_PER_DAY.items() if (most + 1) * units < 2**63]

    # Partition specs.

    def evolve_spec(self):
        """Adds a spec and makes it the default."""
        table, rng = self._table, self._rng
        fields, chosen = [], leaves(table.fields)
        if table.format_version == 1 and table.specs:
            fields = [{**f, "transform": rng.choice((f["transform"], "void"))}
                      for f in table.specs[-1]["fields"]]
        candidates = [path for path in chosen if path[-1]["type"] not in ("unknown", "variant")]
        for _ in range(rng.choice((0, 1, 1, 2, 3))):
            if candidates:
                self._add_partition(fields, rng.choice(candidates))
        spec_id = max((s["spec-id"] for s in table.specs), default=-1) + 1
        table.specs.append({"spec-id": spec_id, "fields": fields})
        table.default_spec_id = spec_id

    def _add_partition(self, fields, path):
        source = path[-1]
        transform = self._rng.choice(transforms.transforms_of(source["type"]))
        width = self._rng.choice(WIDTHS.get(base(transform), (0,)))
        transform = transform.replace("N", str(width))
        if any(f["source-id"] == source["id"] and base(f["transform"]) == base(transform)
               for f in fields):
            return
        taken = {f["name"] for f in fields} | {f["name"] for f in self._table.fields}
        name = next(n for i in range(99) if (n := f"p{len(fields)}_{i}") not in taken)
        if transform == "identity" and len(path) == 1 and self._rng.random() < 0.7 \
                and source["name"] not in {f["name"] for f in fields}:
            name = source["name"]
        fields.append({"source-id": source["id"], "transform": transform, "name": name,
                       "field-id": self._partition_id(source["id"], transform, fields)})

    def _partition_id(self, source_id, transform, fields):
        """The same source and transform keep their id, unless one of the spec's own `fields`, which
        was made void, has it."""
        used = {field["field-id"] for field in fields}
        for spec in self._table.specs:
            for field in spec["fields"]:
                if (field["source-id"], field["transform"]) == (source_id, transform) \
                        and field["field-id"] not in used:
                    return field["field-id"]
        self._table.last_partition_id += 1
        return self._table.last_partition_id


def partition_of(table, spec_id, row, fields):
    """The partition tuple of a row; OverflowError where a transform has no value."""
    values = []
    for field in table.spec(spec_id)["fields"]:
        path = path_to(fields, field["source-id"])
        values.append(transforms.apply(field["transform"], value_at(row, path), path[-1]["type"]))
    return tuple(values)
