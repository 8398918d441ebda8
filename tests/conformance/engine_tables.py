"""Where the tables lie that engines wrote: those of tests/data, and of the larger corpus where one is given."""
import json
import os
import pathlib

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"


def _metadata_file(folder, name):
    expected = json.loads((folder / f"{name}.expect.json").read_text(encoding="utf-8"))
    return folder / name / expected["metadata_file"]


def location(name):
    """The current metadata file of a table of tests/data."""
    return str(_metadata_file(DATA / "iceberg", name))


def tables():
    """(name, where to open it) of each table."""
    folders = [DATA / "iceberg"]
    corpus = os.environ.get("NUNATAK_CORPUS")
    if corpus:
        folders.append(pathlib.Path(corpus) / "iceberg")
    for folder in folders:
        for path in sorted(folder.glob("*.expect.json")):
            name = path.name.removesuffix(".expect.json")
            yield name, _metadata_file(folder, name)
    yield "bookshop-orders", DATA / "bookshop-orders"
