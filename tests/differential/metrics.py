"""What manifests say about the columns of a file: right, and sometimes little."""
import math

import single_values
from kinds import leaves, value_at

MODES = ("none", "counts", "full", "full", "full", 1, 4, 16)


class Metrics:
    """The metric maps of one file, by field id; each may lack columns, or be missing."""

    def __init__(self):
        self.value_counts, self.null_counts, self.nan_counts = {}, {}, {}
        self.lower, self.upper = {}, {}

    def add(self, field, values, mode):
        if mode == "none":
            return
        known = [v for v in values if v is not None]
        self.value_counts[field["id"]] = len(values)
        self.null_counts[field["id"]] = len(values) - len(known)
        if field["type"] in ("float", "double"):
            self.nan_counts[field["id"]] = sum(map(math.isnan, known))
        if mode == "counts":
            return
        truncate = None if mode == "full" else mode
        lower, upper = single_values.bounds(known, field["type"], truncate)
        if lower is not None:
            self.lower[field["id"]] = lower
        if upper is not None:
            self.upper[field["id"]] = upper

    def drop_some(self, rng):
        for kind in (self.value_counts, self.null_counts, self.nan_counts, self.lower, self.upper):
            if rng.random() < 0.1:
                kind.clear()
            for key in [key for key in kind if rng.random() < 0.05]:
                del kind[key]

    def record(self, rng):
        """Fields of the manifest's data_file record; empty maps are null or empty."""
        def pairs(kind):
            if not kind and rng.random() < 0.5:
                return None
            return [{"key": key, "value": value} for key, value in kind.items()]
        return {"value_counts": pairs(self.value_counts),
                "null_value_counts": pairs(self.null_counts),
                "nan_value_counts": pairs(self.nan_counts),
                "lower_bounds": pairs(self.lower), "upper_bounds": pairs(self.upper)}


def of_rows(fields, rows, rng):
    metrics = Metrics()
    of_all = rng.choice((None, None, None, "none", "full"))
    for path in leaves(fields):
        if path[-1]["type"] != "unknown":
            values = [value_at(row, path) for row in rows]
            metrics.add(path[-1], values, of_all or rng.choice(MODES))
    if rng.random() < 0.3:
        metrics.drop_some(rng)
    return metrics


def partition_summary(values, kind, rng):
    """The field summary of a manifest's partition values of one field."""
    known = [v for v in values if v is not None]
    lower, upper = single_values.bounds(known, kind, None)
    nan = any(isinstance(v, float) and math.isnan(v) for v in known)
    return {"contains_null": len(known) < len(values),
            "contains_nan": rng.choice((nan, nan, None)) if kind in ("float", "double") else
            rng.choice((False, None)),
            "lower_bound": lower, "upper_bound": upper}
