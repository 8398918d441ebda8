"""The baseline without a table format: finding 100,000 files by listing 1,000 directories, as
engines do with Hive-style directories.

usage: list_files.py LISTER FOLDER REPETITIONS     (run by the interpreter that has the lister)
"""
import datetime
import os
import pathlib
import shutil
import sys

from python_peers import repeat

DIRECTORIES, FILES = 1000, 100


def generate(folder, content):
    """Small Parquet files, all with the same `content`, under FOLDER/day=…/."""
    folder = pathlib.Path(folder)
    if (folder.parent / f"{folder.name}.done").exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    for i in range(DIRECTORIES):
        day = datetime.date(2020, 1, 1) + datetime.timedelta(i)
        directory = folder / f"day={day}"
        directory.mkdir(parents=True)
        for k in range(FILES):
            (directory / f"part-{k:05d}-{i:08x}.parquet").write_bytes(content)
    (folder.parent / f"{folder.name}.done").touch()


def scandir(folder):
    count, todo = 0, [folder]
    while todo:
        with os.scandir(todo.pop()) as found:
            for entry in found:
                if entry.is_dir(follow_symlinks=False):
                    todo.append(entry.path)
                else:
                    count += 1
    return count


def stat(folder):
    """With the size of each file, which a task needs."""
    count = 0
    for parent, _, names in os.walk(folder):
        for name in names:
            os.stat(os.path.join(parent, name))
            count += 1
    return count


def pyarrow(folder):
    import pyarrow.dataset
    return len(pyarrow.dataset.dataset(folder, format="parquet", partitioning="hive").files)


def duckdb(folder):
    import duckdb as db
    return db.sql(f"SELECT count(*) FROM glob('{folder}/*/*.parquet')").fetchone()[0]


LISTERS = {"scandir": scandir, "stat": stat, "pyarrow": pyarrow, "duckdb": duckdb}


def main():
    lister, folder, repetitions = sys.argv[1:]
    if lister in ("pyarrow", "duckdb"):
        __import__({"pyarrow": "pyarrow.dataset"}.get(lister, lister))
    repeat(lambda: (LISTERS[lister](folder), 0), int(repetitions))


if __name__ == "__main__":
    main()
