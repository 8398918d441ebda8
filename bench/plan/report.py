"""Turns rows of measurements into ratios and tables. A row is a dictionary: table, case,
implementation, threads, what measure.merge returns or an error, and the expected files."""

CASES = ["full", "day", "metric", "id"]


def is_own(row):
    """Whether a row is of nunatak, in any of its modes, or of the floor."""
    return row["implementation"].split()[0] in ("nunatak", "floor")


def floor_cpu(rows, table, threads):
    """CPU seconds of the floor of a whole table."""
    for row in rows:
        if (row["table"], row["implementation"], row["threads"]) == (table, "floor", threads):
            return row["cpu_s"]
    return None


def best_peer(rows, table, case):
    """The peer's row of the least CPU seconds that did not fail, or none."""
    found = [row for row in rows if (row["table"], row["case"]) == (table, case)
             and not is_own(row) and "cpu_s" in row]
    return min(found, key=lambda row: row["cpu_s"], default=None)


def with_ratios(rows):
    """The rows, with `to_peer` and `to_floor`: their CPU seconds divided by those of the best peer
    of the same case, and of the floor of the whole table on as many threads. None where there is
    nothing to compare with."""
    found = []
    for row in rows:
        peer = best_peer(rows, row["table"], row["case"])
        bases = {"to_peer": peer and peer["cpu_s"],
                 "to_floor": floor_cpu(rows, row["table"], row["threads"])}
        found.append({**row, **{name: row["cpu_s"] / base if base and "cpu_s" in row else None
                                for name, base in bases.items()}})
    return found


def is_wrong(row):
    """Whether it planned other files than it must; unknown is not wrong."""
    return row.get("files") is not None and row["files"] != row["expected_files"]


def seconds(value):
    return "" if value is None else f"{value:.4f}" if value < 0.1 else f"{value:.2f}"


def ratio(value):
    return "" if value is None else f"{value:.3f}" if value < 0.1 else f"{value:.2f}"


def _note(row):
    if "error" in row:
        return "fails: " + row["error"].replace("|", "/")
    if is_wrong(row):
        return f"WRONG: {row['expected_files']} files are right"
    return "files unknown" if row["files"] is None else ""


def markdown(header, lines):
    """An aligned table: the first column of text to the left, numbers to the right."""
    numeric = [all(_is_number(line[i]) for line in lines) for i in range(len(header))]
    widths = [max(len(line[i]) for line in [header, *lines]) for i in range(len(header))]

    def form(cells):
        padded = [cell.rjust(width) if right else cell.ljust(width)
                  for cell, width, right in zip(cells, widths, numeric)]
        return "| " + " | ".join(padded) + " |"
    rule = "|".join("-" * (width + 1) + ":" if right else "-" * (width + 2)
                    for width, right in zip(widths, numeric))
    return "\n".join([form(header), f"|{rule}|", *map(form, lines)])


def _is_number(text):
    return text.replace(".", "").replace(",", "").isdigit() or not text


def details(rows):
    """The table of every measurement."""
    lines = [[row["table"], row["case"], row["implementation"], str(row["threads"]),
              "" if row.get("files") is None else str(row["files"]),
              seconds(row.get("wall_s")), seconds(row.get("cpu_s")),
              seconds(row.get("first_cpu_s")),
              f"{row['peak_mb']:.0f}" if "peak_mb" in row else "",
              ratio(row["to_peer"]), ratio(row["to_floor"]), _note(row)]
             for row in with_ratios(rows)]
    return markdown(["table", "case", "implementation", "threads", "files", "wall s", "CPU s",
                     "first CPU s", "peak MB", "CPU / best peer", "CPU / floor", "note"], lines)


def summary(rows):
    """CPU seconds: one line per table and case, one column per implementation; nunatak's ratios at
    the end."""
    names = list(dict.fromkeys(row["implementation"] for row in rows))
    lines = []
    for table, case in dict.fromkeys((row["table"], row["case"]) for row in rows):
        group = {}
        for row in with_ratios(rows):
            if (row["table"], row["case"]) == (table, case):
                group.setdefault(row["implementation"], row)
        own = group.get("nunatak", {})
        cells = [seconds(group[name].get("cpu_s")) or "fails" if name in group else ""
                 for name in names]
        best = best_peer(rows, table, case)
        lines.append([table, case, *cells, best["implementation"] if best else "",
                      ratio(own.get("to_peer")), ratio(own.get("to_floor"))])
    return markdown(["table", "case", *names, "best peer", "nunatak / best peer",
                     "nunatak / floor"], lines)


def lists(rows):
    """The table of what listing files costs."""
    return markdown(["lister", "files", "wall s", "CPU s", "note"], [
        [row["implementation"], str(row.get("files", "")), seconds(row.get("wall_s")),
         seconds(row.get("cpu_s")), _note(row)] for row in rows])


def failures(rows):
    """What nunatak or the floor got wrong, one line each."""
    return [f"{row['table']} {row['case']} {row['implementation']}: {_note(row)}" for row in rows
            if is_own(row) and ("error" in row or is_wrong(row))]
