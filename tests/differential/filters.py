"""Random filters, how they are written, and which rows they keep: by SQL's three-valued logic, one
row after the other, as docs/filters.md has it.

A filter is a tuple: ("true",), ("false",), ("not", filter), ("and", filter, filter), ("or", filter,
filter), or (operator, column, literals), where the column is a path of fields.
"""
import json
import operator
import re

import literals
from kinds import base, columns, value_at

COMPARISONS = {"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
               ">": operator.gt, ">=": operator.ge}
MIRRORED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
SPELLINGS = {"=": ("=", "=", "=="), "!=": ("!=", "<>")}
JSON_TYPES = {"=": "eq", "!=": "not-eq", "<": "lt", "<=": "lt-eq", ">": "gt", ">=": "gt-eq",
              "in": "in", "not in": "not-in", "is null": "is-null", "is not null": "not-null",
              "is nan": "is-nan", "is not nan": "not-nan", "starts with": "starts-with",
              "not starts with": "not-starts-with", "like": "like", "not like": "not-like"}
ONLY_NULL_TESTS = ("struct", "list", "map", "unknown", "geometry", "geography", "variant")
PLAIN_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)
KEYWORDS = {"select", "null", "key", "value", "day", "true", "false", "not", "and", "or", "in",
            "is", "like", "nan", "between", "date", "time", "timestamp", "uuid", "cast"}


# Which rows a filter keeps.

def _not(truth):
    return None if truth is None else not truth


def _and(left, right):
    if left is False or right is False:
        return False
    return None if left is None or right is None else True


def _any(truths):
    truths = list(truths)
    return True if True in truths else None if None in truths else False


def _compare(op, left, right):
    return None if left is None or right is None else COMPARISONS[op](left, right)


def _like(pattern):
    """The pattern as a regular expression."""
    parts = re.findall(r"\\.|.", pattern, re.DOTALL)
    return re.compile("".join(
        ".*" if p == "%" else "." if p == "_" else re.escape(p[-1]) for p in parts), re.DOTALL)


def _leaf(op, value, chosen):
    """`value` and the literals are comparable, or None for null."""
    if op.startswith("not "):
        return _not(_leaf(op.removeprefix("not "), value, chosen))
    if op in ("is null", "is not null"):
        return (value is None) == (op == "is null")
    if value is None:
        return None
    if op in ("is nan", "is not nan"):
        return (value == literals.NAN) == (op == "is nan")
    if op == "in":
        return _any(_compare("=", value, literal.comparable) for literal in chosen)
    if op == "between":
        return _and(_compare(">=", value, chosen[0].comparable),
                    _compare("<=", value, chosen[1].comparable))
    if op == "starts with":
        return value.startswith(chosen[0].comparable)
    if op == "like":
        return _like(chosen[0].value).fullmatch(value.decode()) is not None
    return _compare(op, value, chosen[0].comparable)


def truth(expression, row):
    """True, False or None for unknown."""
    op = expression[0]
    if op in ("true", "false"):
        return op == "true"
    if op == "not":
        return _not(truth(expression[1], row))
    if op == "and":
        return _and(truth(expression[1], row), truth(expression[2], row))
    if op == "or":
        return _not(_and(_not(truth(expression[1], row)), _not(truth(expression[2], row))))
    _, path, chosen = expression
    value = value_at(row, path)
    kind = path[-1]["type"]
    if base(kind) not in ONLY_NULL_TESTS:
        value = literals.comparable(value, kind)
    return _leaf(op, value, chosen)


def keeps(expression, row):
    return truth(expression, row) is True


# How filters are written.

def _name_text(name, rng):
    if PLAIN_NAME.fullmatch(name) and name.lower() not in KEYWORDS and rng.random() < 0.8:
        return name
    quote = rng.choice('"`')
    return quote + name.replace(quote, quote * 2) + quote


def _column_text(path, rng):
    return ".".join(_name_text(field["name"], rng) for field in path)


def _keyword(word, rng):
    return rng.choice((word.upper(), word.upper(), word.lower(), word.title()))


def _leaf_text(expression, rng):
    op, path, chosen = expression
    column, texts = _column_text(path, rng), [literal.text(rng) for literal in chosen]
    if op in COMPARISONS:
        if path[-1]["type"] == "boolean" and op == "=" and chosen[0].value is True \
                and rng.random() < 0.5:
            return column
        if rng.random() < 0.15:
            return f"{texts[0]} {MIRRORED[op]} {column}"
        return f"{column} {rng.choice(SPELLINGS.get(op, (op,)))} {texts[0]}"
    if op.startswith("is "):
        return f"{column} {_keyword(op, rng)}"
    if op.endswith("between"):
        return f"{column} {_keyword(op, rng)} {texts[0]} {_keyword('and', rng)} {texts[1]}"
    if op.endswith("in"):
        return f"{column} {_keyword(op, rng)} ({', '.join(texts)})"
    return f"{column} {_keyword(op, rng)} {texts[0]}"


BINDING = {"or": 0, "and": 1, "not": 2}


def text(expression, rng, above=0):
    """The filter in the text language; `above` is how tightly what surrounds it binds."""
    op = expression[0]
    if op in ("true", "false"):
        return _keyword(op, rng)
    if op not in BINDING:
        return _leaf_text(expression, rng)
    binding = BINDING[op]
    inside = [text(part, rng, binding) for part in expression[1:]]
    written = f" {_keyword(op, rng)} ".join(inside) if op != "not" \
        else f"{_keyword('not', rng)} {inside[0]}"
    return f"({written})" if binding < above or rng.random() < 0.2 else written


def in_text(expression):
    """Whether the text language has the filter: `starts with` is JSON's alone."""
    return "starts with" not in repr(expression)


def _json_tree(expression, rng):
    op = expression[0]
    if op in ("true", "false"):
        return rng.choice((op == "true", {"type": op}))
    if op == "not":
        return {"type": "not", "child": _json_tree(expression[1], rng)}
    if op in ("and", "or"):
        return {"type": op, "left": _json_tree(expression[1], rng),
                "right": _json_tree(expression[2], rng)}
    _, path, chosen = expression
    if op == "between":  # JSON has none.
        lower, upper = chosen
        return _json_tree(("and", (">=", path, [lower]), ("<=", path, [upper])), rng)
    if op == "not between":
        return _json_tree(("not", ("between", path, chosen)), rng)
    name = ".".join(field["name"] for field in path)
    tree = {"type": JSON_TYPES[op],
            "term": name if rng.random() < 0.8 else {"type": "reference", "term": name}}
    values = [literal.json(rng) for literal in chosen]
    if op in ("in", "not in"):
        return tree | {"values": values}
    return tree | ({"value": values[0]} if values else {})


def written(expression, rng):
    """The filter as an argument of --where, in one of the two languages."""
    tree = _json_tree(expression, rng)
    if isinstance(tree, dict) and (not in_text(expression) or rng.random() < 0.4):
        return json.dumps(tree, ensure_ascii=rng.random() < 0.5)
    return text(expression, rng)


# Random filters.

class Filters:
    def __init__(self, rng, fields, values):
        """`values`: gives the pool of a column."""
        self._rng, self._fields, self._values = rng, fields, values
        self._columns = list(columns(fields))

    def draw(self, depth=0):
        rng = self._rng
        if depth < 3 and rng.random() < (0.55, 0.4, 0.25)[depth]:
            op = rng.choice(("and", "and", "or", "or", "not"))
            return (op, *(self.draw(depth + 1) for _ in range(1 if op == "not" else 2)))
        if rng.random() < 0.02:
            return (rng.choice(("true", "false")),)
        return self._draw_leaf()

    def _draw_leaf(self):
        path = self._rng.choice(self._columns)
        kind = path[-1]["type"]
        op = self._rng.choice(self._operators(base(kind)))
        count = {"in": self._rng.choice((1, 2, 3, 5)), "not in": self._rng.choice((1, 2, 3)),
                 "between": 2, "not between": 2}.get(op, 0 if op.startswith("is ") else 1)
        chosen = [self._literal(path, op) for _ in range(count)]
        return (op, path, chosen)

    @staticmethod
    def _operators(name):
        tests = ["is null", "is not null"]
        if name in ONLY_NULL_TESTS:
            return tests
        found = tests + 2 * list(COMPARISONS) + ["in", "in", "not in", "between", "not between"]
        if name in ("float", "double"):
            found += ["is nan", "is not nan"] * 2
        if name == "string":
            found += ["like", "like", "not like", "starts with", "starts with", "not starts with"]
        return found

    def _literal(self, path, op):
        rng, kind = self._rng, path[-1]["type"]
        if op in ("in", "not in") and rng.random() < 0.05:
            return literals.Null()
        value = rng.choice(self._values.pool(path[-1]))
        if op in ("like", "not like"):
            return literals.Pattern(self._pattern(value))
        if op in ("starts with", "not starts with"):
            return literals.Literal(value[:rng.randint(0, 3)], "string")
        if rng.random() < 0.35:
            return literals.near(value, kind, rng)
        return literals.Literal(value, kind)

    def _pattern(self, value):
        rng = self._rng
        escaped = re.sub(r"([\\%_])", r"\\\1", value[:rng.randint(0, 6)])
        ends = ("%", "%", "", "_", "%_", "_%", "%%") + tuple(value[-1:])
        return rng.choice(("", "", "", "%", "_")) + escaped + rng.choice(ends)
