"""A copy of a table of tests/data, to be damaged."""
import json
import pathlib
import shutil

from avro_container import Container

DATA = pathlib.Path(__file__).resolve().parents[1] / "data" / "iceberg"
NOBODY = 4_611_686_018_427_387_904  # The id of no snapshot.


class DamagedTable:
    def __init__(self, name, folder):
        self.folder = pathlib.Path(folder) / name
        shutil.copytree(DATA / name, self.folder)
        expected = json.loads((DATA / f"{name}.expect.json").read_text())
        self.metadata_path = self.folder / expected["metadata_file"]
        self.metadata = json.loads(self.metadata_path.read_text())

    def local(self, recorded):
        return self.folder / recorded.removeprefix(self.metadata["location"]).lstrip("/")

    # Metadata.

    def save(self):
        """Writes the metadata; returns its location, as findings name it."""
        self.metadata_path.write_text(json.dumps(self.metadata))
        return str(self.metadata_path)

    def snapshot(self, number=None):
        """The current snapshot, or one by its place."""
        if number is not None:
            return self.metadata["snapshots"][number]
        return next(s for s in self.metadata["snapshots"]
                    if s["snapshot-id"] == self.metadata["current-snapshot-id"])

    def set_summary(self, key, value):
        self.snapshot()["summary"][key] = value
        return self.save()

    # Manifest lists and manifests of the current snapshot.

    @property
    def list_path(self):
        return self.snapshot()["manifest-list"]

    def manifests(self):
        """The entries of the manifest list."""
        return Container(self.local(self.list_path)).records

    def edit_list(self, edit):
        container = Container(self.local(self.list_path))
        edit(container.records)
        container.write(self.local(self.list_path))
        return self.list_path

    def place_of(self, content, number=0):
        """The place in the list of a manifest of data (0) or deletes (1)."""
        places = [i for i, m in enumerate(self.manifests()) if m["content"] == content]
        return places[number]

    def edit_listed(self, content, /, **changes):
        """Changes the list's entry of its first manifest of that content; returns the manifest."""
        place = self.place_of(content)

        def edit(records):
            records[place].update(changes)
        self.edit_list(edit)
        return self.manifests()[place]["manifest_path"]

    def edit_manifest(self, content, edit, number=0):
        """Changes the entries of a manifest, whose new length its list then has; returns it."""
        return self.edit_container(content, lambda container: edit(container.records), number)

    def edit_container(self, content, edit, number=0):
        """The same with its schema and header."""
        place = self.place_of(content, number)
        path = self.manifests()[place]["manifest_path"]
        container = Container(self.local(path))
        edit(container)
        size = container.write(self.local(path))

        def edit_length(records):
            records[place]["manifest_length"] = size
        self.edit_list(edit_length)
        return path

    def edit_entry(self, content, entry=0, number=0, **changes):
        def edit(records):
            records[entry].update(changes)
        return self.edit_manifest(content, edit, number)

    def edit_file(self, content, entry=0, number=0, **changes):
        def edit(records):
            records[entry]["data_file"].update(changes)
        return self.edit_manifest(content, edit, number)

    def edit_pairs(self, column, field_id, value, content=0):
        """Changes the value of a field in a metric map of the first entry."""
        def edit(records):
            pairs = records[0]["data_file"][column]
            pairs[:] = [p for p in pairs if p["key"] != field_id] + [
                {"key": field_id, "value": value}]
        return self.edit_manifest(content, edit)

    def files(self, content, number=0):
        """The files of a manifest."""
        path = self.manifests()[self.place_of(content, number)]["manifest_path"]
        return [r["data_file"] for r in Container(self.local(path)).records]
