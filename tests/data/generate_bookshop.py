#!/usr/bin/env python3
"""Write the table bookshop.orders with PyIceberg, as tests/data/bookshop-orders holds it.

usage: generate_bookshop.py WAREHOUSE        (needs pyiceberg[pyarrow,sql-sqlite] 0.12.0)

Three appends of 100 rows, a copy-on-write delete of `order_id > 250`, then twelve appends of one row: 16 data
files and 50 metadata files, none removed. Each of the three appends has orders of one status, so that bounds alone
decide `status = 'shipped'`. The recorded locations begin with file://WAREHOUSE; ids and uuids differ from run to run.
"""
import datetime
import os
import sys

import pyarrow as pa
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.schema import Schema
from pyiceberg.types import DoubleType, IntegerType, LongType, NestedField, StringType, TimestampType

SCHEMA = Schema(
    NestedField(1, "order_id", LongType(), required=True),
    NestedField(2, "customer_id", LongType(), required=True),
    NestedField(3, "title", StringType(), required=False),
    NestedField(4, "country", StringType(), required=False),
    NestedField(5, "quantity", IntegerType(), required=False),
    NestedField(6, "amount", DoubleType(), required=False),
    NestedField(7, "status", StringType(), required=False),
    NestedField(8, "ordered_at", TimestampType(), required=True),
)
ARROW = pa.schema([
    pa.field("order_id", pa.int64(), nullable=False),
    pa.field("customer_id", pa.int64(), nullable=False),
    pa.field("title", pa.string()),
    pa.field("country", pa.string()),
    pa.field("quantity", pa.int32()),
    pa.field("amount", pa.float64()),
    pa.field("status", pa.string()),
    pa.field("ordered_at", pa.timestamp("us"), nullable=False),
])
TITLES = ["Anathem", "Dune", "Hyperion", "Neuromancer"]
COUNTRIES = ["GB", "IN", "US"]
STATUSES = ["delivered", "shipped", "placed"]


def order(order_id, status, ordered_at):
    """Every block of 100 orders has all titles, countries, quantities, customers 1 to 5, and amounts from 30.0 to 79.5."""
    i = (order_id - 1) % 100
    return {
        "order_id": order_id,
        "customer_id": i % 5 + 1,
        "title": TITLES[i % 4],
        "country": COUNTRIES[i % 3],
        "quantity": i % 3 + 1,
        "amount": 30.0 + i * 0.5,
        "status": status,
        "ordered_at": ordered_at,
    }


def block(number):
    """Orders number*100 + 1 to (number + 1)*100, one a minute from midnight: 100 minutes."""
    day = datetime.datetime(2026, 6, 1) - datetime.timedelta(days=2 - number)
    return [order(number * 100 + i + 1, STATUSES[number], day + datetime.timedelta(minutes=i)) for i in range(100)]


def main(warehouse):
    os.makedirs(warehouse, exist_ok=True)
    catalog = SqlCatalog("bookshop", uri="sqlite://", warehouse=f"file://{warehouse}")
    catalog.create_namespace("bookshop")
    table = catalog.create_table("bookshop.orders", SCHEMA, location=f"file://{warehouse}/bookshop/orders")
    for number in range(3):
        table.append(pa.Table.from_pylist(block(number), schema=ARROW))
    table.delete("order_id > 250")
    for i in range(12):
        late = order(301 + i, "placed", datetime.datetime(2026, 6, 2) + datetime.timedelta(minutes=i))
        table.append(pa.Table.from_pylist([late], schema=ARROW))
    print(table.metadata_location)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(os.path.abspath(sys.argv[1]))
