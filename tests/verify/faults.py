"""The faults that `nunatak verify` must find, each a way to damage a copy of a table."""
import dataclasses
import typing

DATA, DELETES = 0, 1
FAULTS = []


@dataclasses.dataclass
class Fault:
    name: str
    table: str
    """Damages the table; returns the file that the finding must name."""
    damage: typing.Callable
    check: str
    """What the finding's field must be; {} stands for anything."""
    field: str
    """Checks that find the same damage from elsewhere."""
    also: tuple = ()
    severity: str = "error"
    arguments: tuple = ()


def fault(check, table, field="", **options):
    """Makes a function a fault."""
    def add(damage):
        name = damage.__name__.strip("_").replace("_", " ")
        FAULTS.append(Fault(name, table, damage, check, field, **options))
        return damage
    return add
