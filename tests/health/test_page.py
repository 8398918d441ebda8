#!/usr/bin/env python3
"""The page of `nunatak health --html`, as a browser shows it: headless Chromium, which scripts/setup.sh --browser installs."""
import html.parser
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from bad_tables import BadTable
from health_command import health, run

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
CHARTS = {"file-sizes", "files-per-partition", "commits", "overlap-depth", "delete-debt"}
HOSTILE = "</text></svg><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">'&lt;"


class Page(html.parser.HTMLParser):
    """The elements of a document, and its text."""

    def __init__(self, document):
        super().__init__(convert_charrefs=True)
        self.elements = []
        self.bars = {}
        self.text = ""
        self.title = None
        self._chart = None
        self.feed(document)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.elements.append((tag, attributes))
        if tag == "svg":
            self._chart = attributes["id"]
            self.bars[self._chart] = []
        if tag == "rect":
            self.bars[self._chart].append(float(attributes["width"]))

    def handle_data(self, data):
        if self.title is None and self.elements and self.elements[-1][0] == "title":
            self.title = data
        self.text += data


def browse(page, *arguments):
    """What the browser prints, without a profile, a sandbox (tests run as root) or a network."""
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--proxy-server=127.0.0.1:9", f"--user-data-dir={profile}", *arguments, pathlib.Path(page).as_uri()],
            capture_output=True, timeout=120, check=True)
        return done.stdout.decode()


def hostile_table(folder):
    """A table whose columns, partitions and properties are markup."""
    table = BadTable("part-identity-string", folder)
    for schema in table.metadata["schemas"]:
        for field in schema["fields"]:
            field["name"] = HOSTILE + str(field["id"])
    for spec in table.metadata["partition-specs"]:
        for field in spec["fields"]:
            field["name"] = HOSTILE
    table.metadata["location"] = table.metadata["location"]
    table.set_property("write.metadata.metrics.default", HOSTILE)

    def change(file, i):
        file["partition"]["v"] = f"{HOSTILE}{i % 3}"
        file["file_path"] += HOSTILE
        file["lower_bounds"] = []
    table.repeat(60, change)
    return table


@unittest.skipIf(BROWSER is None, "there is no Chromium: scripts/setup.sh --browser")
class InABrowser(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.page = os.path.join(self.folder.name, "page.html")

    def test_every_chart_has_its_bars(self):
        table = BadTable("dv-basic", self.folder.name)
        run("health", table.metadata_path, "--html", self.page)
        report = health(table.metadata_path)
        page = Page(browse(self.page, "--dump-dom"))
        self.assertEqual(set(page.bars), CHARTS)
        for chart, widths in page.bars.items():
            bars = report["charts"][chart]
            self.assertEqual(len(widths), len(bars), chart)
            most = max(bar["value"] for bar in bars)
            for width, bar in zip(widths, bars):
                self.assertAlmostEqual(width, 500 * bar["value"] / most, delta=.1)
                self.assertIn(bar["label"][:30], page.text)
        for finding in report["findings"]:
            self.assertIn(finding["title"], page.text)
            for line in finding["remedy"]:
                self.assertIn(line, page.text)

    def test_texts_of_the_table_stay_texts(self):
        table = hostile_table(self.folder.name)
        run("health", table.metadata_path, "--html", self.page)
        page = Page(browse(self.page, "--dump-dom", "--virtual-time-budget=2000"))
        self.assertTrue(page.title.startswith("Health of "), page.title)
        self.assertEqual({tag for tag, _ in page.elements} & {"script", "img", "iframe", "object", "link"}, set())
        for tag, attributes in page.elements:
            self.assertEqual([a for a in attributes if a.startswith("on") or a in ("src", "href")], [], tag)
        self.assertEqual(set(page.bars), CHARTS - {"delete-debt", "overlap-depth"})
        self.assertIn(f"missing-metrics", page.text)
        self.assertIn(f"{HOSTILE}={HOSTILE}1: 20 files", page.text)

    def test_it_can_be_seen(self):
        table = BadTable("dv-basic", self.folder.name)
        run("health", table.metadata_path, "--html", self.page)
        picture = os.path.join(self.folder.name, "page.png")
        browse(self.page, f"--screenshot={picture}", "--window-size=1000,1600")
        data = pathlib.Path(picture).read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual((int.from_bytes(data[16:20]), int.from_bytes(data[20:24])), (1000, 1600))
        # An empty page of that size takes a tenth of this.
        self.assertGreater(len(data), 30_000)


if __name__ == "__main__":
    unittest.main()
