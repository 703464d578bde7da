"""Measures the import and the reading of nycflights13 with Python's sqlite3, as `benchmarks --flights` does in Swift.

    python3 flights.py FOLDER [--rounds 7] [--clock cpu]

The files are parsed first. Rows are read as tuples, not as values of the program's types.
"""

import argparse
import csv
import datetime
import os
import sqlite3
import statistics
import sys
import tempfile
import time

INTEGER, REAL, TEXT, TIME = "INTEGER", "REAL", "TEXT", "TIME"

# A question mark means that the value may be missing. A table's columns are followed by its key.
TABLES = {
    "Airline": ("airlines.csv", "carrier TEXT, name TEXT", "carrier"),
    "Airport": (
        "airports.csv", "faa TEXT, name TEXT, lat REAL, lon REAL, alt INTEGER, tz INTEGER, dst TEXT, tzone TEXT?",
        "faa"),
    "Plane": (
        "planes.csv",
        "tailnum TEXT, year INTEGER?, type TEXT, manufacturer TEXT, model TEXT, engines INTEGER, seats INTEGER, "
        "speed INTEGER?, engine TEXT",
        "tailnum"),
    "Weather": (
        "weather.csv",
        "origin TEXT, year INTEGER, month INTEGER, day INTEGER, hour INTEGER, temp REAL?, dewp REAL?, humid REAL?, "
        "wind_dir INTEGER?, wind_speed REAL?, wind_gust REAL?, precip REAL, pressure REAL?, visib REAL, "
        "time_hour TIME",
        "origin, time_hour"),
    "Flight": (
        "flights.csv",
        "year INTEGER, month INTEGER, day INTEGER, dep_time INTEGER?, sched_dep_time INTEGER, dep_delay INTEGER?, "
        "arr_time INTEGER?, sched_arr_time INTEGER, arr_delay INTEGER?, carrier TEXT, flight INTEGER, tailnum TEXT?, "
        "origin TEXT, dest TEXT, air_time INTEGER?, distance INTEGER, hour INTEGER, minute INTEGER, time_hour TIME",
        None),
}
REFERENCES = {
    ("Weather", "origin"): "Airport", ("Flight", "carrier"): "Airline", ("Flight", "origin"): "Airport",
}
EPOCH = datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc)


def columns(table):
    """The name and the type of each column, and whether its value may be missing."""
    pairs = [column.split() for column in TABLES[table][1].split(", ")]
    return [(name, kind.rstrip("?"), kind.endswith("?")) for name, kind in pairs]


def seconds(text):
    """A time as the store writes it: seconds since 2001."""
    return (datetime.datetime.fromisoformat(text.replace("Z", "+00:00")) - EPOCH).total_seconds()


def parse(folder, table):
    """The rows of a table's file as tuples."""
    file = TABLES[table][0]
    readers = {INTEGER: int, REAL: float, TEXT: str, TIME: seconds}
    kinds = [(name, readers[kind], optional) for name, kind, optional in columns(table)]

    def value(text, name, read, optional, number):
        if text in ("", "NA"):
            if optional:
                return None
            sys.exit(f"{file}, row {number}: {name} is missing.")
        try:
            return read(text)
        except ValueError:
            sys.exit(f"{file}, row {number}: {name} is {text}.")

    try:
        with open(os.path.join(folder, file), newline="", encoding="utf-8") as lines:
            rows = csv.reader(lines, strict=True)
            if next(rows, None) != [name for name, _, _ in kinds]:
                sys.exit(f"{file} does not begin with its columns.")
            parsed = []
            for number, row in enumerate(rows, 1):
                if len(row) != len(kinds):
                    sys.exit(f"{file}, row {number}: it has {len(row)} of {len(kinds)} fields.")
                parsed.append(tuple(value(text, *kind, number) for text, kind in zip(row, kinds)))
            return parsed
    except OSError:
        sys.exit(f"{file} cannot be read in the folder {folder}.")
    except (csv.Error, UnicodeDecodeError) as error:
        sys.exit(f"{file}: {error}.")


def create(path):
    """Lays out a file as the store does, and opens it with the same settings."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")
    database.execute("PRAGMA foreign_keys = ON")
    for table, (_, _, key) in TABLES.items():
        parts = [] if key else ["id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL"]
        for name, kind, optional in columns(table):
            part = f"{name} {'REAL' if kind == TIME else kind}{'' if optional else ' NOT NULL'}"
            target = REFERENCES.get((table, name))
            parts.append(part + (f" REFERENCES {target} ON DELETE RESTRICT" if target else ""))
        if key:
            parts.append(f"PRIMARY KEY ({key})")
        database.execute(f"CREATE TABLE {table} ({', '.join(parts)}) STRICT")
        # The store gives each reference an index, unless the key begins with it.
        for owner, name in REFERENCES:
            if owner == table and not (key or "").startswith(name):
                database.execute(f'CREATE INDEX "index_{table}({name})" ON {table} ({name})')
    return database


def insert(database, data):
    """Inserts all rows, with one transaction per table."""
    for table, rows in data.items():
        names = [name for name, _, _ in columns(table)]
        database.execute("BEGIN IMMEDIATE")
        database.executemany(
            f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' for _ in names)})", rows)
        database.execute("COMMIT")


def run_round(data, clock):
    """Imports and reads once, and returns both times."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "flights.sqlite")
        database = create(path)
        start = clock()
        insert(database, data)
        imported = clock() - start
        database.close()
        # A new connection has an empty cache.
        database = sqlite3.connect(path)
        start = clock()
        flights = database.execute("SELECT * FROM Flight").fetchall()
        fetched = clock() - start
        if [flight[1:] for flight in flights] != data["Flight"]:
            sys.exit("The flights that were read are not those that were written.")
        for table in TABLES:
            if database.execute(f"SELECT count(*) FROM {table}").fetchone()[0] != len(data[table]):
                sys.exit(f"Rows of {table} are missing.")
        database.close()
        return imported, fetched


QUESTIONS = [
    ("carrier", "SELECT a.name, avg(f.arr_delay) FROM Flight f JOIN Airline a ON a.carrier = f.carrier "
     "GROUP BY a.name ORDER BY a.name"),
    ("destinations", "SELECT a.name, count(*) FROM Flight f JOIN Airport a ON a.faa = f.dest "
     "GROUP BY a.name ORDER BY count(*) DESC, a.name LIMIT 10"),
    ("planes", "SELECT f.*, p.* FROM Flight f JOIN Plane p ON p.tailnum = f.tailnum WHERE p.year < 1990 ORDER BY f.id"),
    ("weather", "SELECT w.precip > 0, avg(f.dep_delay) FROM Flight f "
     "JOIN Weather w ON w.origin = f.origin AND w.time_hour = f.time_hour GROUP BY 1 ORDER BY 1"),
    ("distinct", "SELECT DISTINCT carrier FROM Flight ORDER BY carrier"),
    ("groups", "SELECT origin, carrier, count(*) FROM Flight GROUP BY origin, carrier ORDER BY origin, carrier"),
    ("offset", "SELECT * FROM Flight ORDER BY id LIMIT 50 OFFSET 300000"),
    ("page", None),
    ("search", "SELECT * FROM Airport WHERE rowid IN (SELECT rowid FROM found WHERE found MATCH 'inter*') "
     "ORDER BY rowid"),
    ("hour", "SELECT hour, avg(dep_delay) FROM Flight GROUP BY hour ORDER BY hour"),
    ("busy", "SELECT carrier, count(*) FROM Flight GROUP BY carrier HAVING count(*) > 10000 ORDER BY carrier"),
    ("patch", None),
    ("patches", None),
    ("dashboard", None),
]

# The queries that a dashboard repeats after each transaction.
DASHBOARD = [
    "SELECT count(*) FROM Flight", "SELECT max(arr_delay) FROM Flight",
    "SELECT carrier, count(*) FROM Flight GROUP BY carrier", "SELECT sum(distance) FROM Flight WHERE year = 2014",
    "SELECT a.name, count(*) FROM Flight f JOIN Airport a ON a.faa = f.dest "
    "GROUP BY a.name ORDER BY count(*) DESC, a.name LIMIT 10",
]


def ask(database, name, sql):
    """Asks one question, and returns the number of rows."""
    if name == "page":
        last, count = 0, 0
        for _ in range(10):
            rows = database.execute("SELECT * FROM Flight WHERE id > ? ORDER BY id LIMIT 50", (last,)).fetchall()
            last, count = rows[-1][0], count + len(rows)
        return count
    if name == "dashboard":
        names = [name for name, _, _ in columns("Flight")]
        insert = f"INSERT INTO Flight ({', '.join(names)}) VALUES ({', '.join('?' for _ in names)})"
        for batch in range(5):
            rows = [
                (2014, 1, 1, None, 600, None, None, 700, 5000 + batch, "UA", number, None, "JFK", "DCA", None, 1, 6, 0,
                 410000000.0)
                for number in range(1000)]
            database.execute("BEGIN IMMEDIATE")
            database.executemany(insert, rows)
            database.execute("COMMIT")
            for question in DASHBOARD:
                database.execute(question).fetchall()
        return database.execute("DELETE FROM Flight WHERE year = 2014").rowcount
    if name in ("patch", "patches"):
        numbers = [7] if name == "patch" else range(1, 1001)
        database.execute("BEGIN IMMEDIATE")
        for number in numbers:
            database.execute("UPDATE Flight SET dep_delay = ? WHERE id = ?", (number, number))
            database.execute("SELECT * FROM Flight WHERE id = ?", (number,)).fetchall()
        database.execute("COMMIT")
        return len(numbers)
    return len(database.execute(sql).fetchall())


def ask_all(data, rounds, clock):
    """Asks every question of one file, and prints the median time of each."""
    with tempfile.TemporaryDirectory() as folder:
        database = create(os.path.join(folder, "flights.sqlite"))
        insert(database, data)
        database.execute("CREATE VIRTUAL TABLE found USING fts5(name, content=Airport)")
        database.execute("INSERT INTO found (found) VALUES ('rebuild')")
        for name, sql in QUESTIONS:
            times = []
            for _ in range((1 if name == "dashboard" else 10) * max(1, rounds) + 1):
                start = clock()
                count = ask(database, name, sql)
                times.append(clock() - start)
            print(f"questions.{name}  {statistics.median(times[1:]) * 1000:.2f} ms, {count} rows")
        database.close()


def main():
    parser = argparse.ArgumentParser(description="Measures nycflights13 with Python's sqlite3.")
    parser.add_argument("folder", help="where the five CSV files are")
    parser.add_argument("--rounds", type=int, default=7, help="how many to measure, after one that warms up")
    parser.add_argument("--clock", choices=["wall", "cpu"], default="wall")
    parser.add_argument("--questions", action="store_true", help="ask the questions, and measure nothing else")
    arguments = parser.parse_args()
    data = {table: parse(arguments.folder, table) for table in TABLES}
    clock = time.perf_counter if arguments.clock == "wall" else time.process_time
    if arguments.questions:
        return ask_all(data, arguments.rounds, clock)
    rounds = [run_round(data, clock) for _ in range(max(1, arguments.rounds) + 1)][1:]
    for name, times in zip(["flights.import", "flights.fetch"], zip(*rounds)):
        print(f"{name}  {statistics.median(times):.3f} s")


if __name__ == "__main__":
    main()
