#!/usr/bin/python3
"""Times the viewer: how soon its page has its first answers, and how soon a slice is sent.

viewer.py FOLDER RUNS COMMAND...    COMMAND is what runs hyperslab, such as ./hyperslab

Makes two files in FOLDER, which needs room for 2.4 GB: one of 200 x 1,000 x 1,000 doubles,
contiguous, and the first 100 planes of the same, in chunks of a plane's quarter with shuffle and
deflate (the values have few digits, as measurements do). In each run the command is started anew,
then come the requests of h5web's page: the link, which exchanges its token for a cookie, the page,
what the page names, the lists of files and of members, a dataset's description and attributes.
The time from the start of the process to the last byte of these is "first page". Then a plane is
requested for the first time, and ten others after it, of which the median is taken. The bytes of
every slice are compared with the file's. HYPERSLAB_NO_BUILD=1 is set.
"""
import http.cookiejar
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time
import urllib.parse
import urllib.request

import h5py
import numpy as np

SIDE = 1000


def make(folder):
    random = np.random.default_rng(1)
    plain, packed = folder / "plain.h5", folder / "packed.h5"
    with h5py.File(plain, "w") as one, h5py.File(packed, "w") as two:
        shape = (200, SIDE, SIDE)
        x = one.create_dataset("run/density", shape, "f8")
        y = two.create_dataset(
            "run/density", (100, SIDE, SIDE), "f8", chunks=(1, SIDE // 2, SIDE // 2),
            compression="gzip", compression_opts=4, shuffle=True)
        for dataset in (x, y):
            dataset.attrs["units"] = "g/cm^3"
        for i in range(shape[0]):
            plane = np.round(random.random((SIDE, SIDE)), 3)
            x[i] = plane
            if i < 100:
                y[i] = plane
    return plain, packed


class Page:
    """What a browser does with the link."""

    def __init__(self, link):
        self.base = link.split("?")[0].rstrip("/")
        jar = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        self.get_whole(link)

    def get_whole(self, url):
        with self.opener.open(url) as reply:
            return reply.read()

    def get(self, resource, /, **query):
        asked = "?" + urllib.parse.urlencode(query) if query else ""
        return self.get_whole(self.base + resource + asked)

    def first_answers(self, file):
        html = self.get("/").decode()
        for name in re.findall(r'(?:src|href)="(\./[^"]+)"', html):
            self.get("/" + name[2:])
        self.get("/files")
        for path in ("/", "/run/density"):
            described = json.loads(self.get("/meta", file=file, path=path))
            if described["attributes"]:
                self.get("/attr", file=file, path=path)
        if described["shape"][1:] != [SIDE, SIDE]:
            sys.exit("unexpected description: %s" % described)

    def plane(self, file, index, wanted):
        start = time.monotonic()
        data = self.get(
            "/data", file=file, path="/run/density", format="bin", dtype="safe", selection="%d,:,:" % index)
        took = time.monotonic() - start
        if data != wanted:
            sys.exit("plane %d differs" % index)
        return took


def run(command, path):
    with h5py.File(path) as file:
        planes = {i: file["run/density"][i].tobytes() for i in range(40, 51)}
    start = time.monotonic()
    process = subprocess.Popen(command + ["view", str(path)], stdout=subprocess.PIPE, text=True)
    try:
        page = Page(process.stdout.readline().split()[-1])
        page.first_answers(path.name)
        first_page = time.monotonic() - start
        first, *others = (page.plane(path.name, i, data) for i, data in planes.items())
        return first_page, first, statistics.median(others)
    finally:
        process.terminate()
        process.wait()


def main():
    folder, runs, command = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    os.environ["HYPERSLAB_NO_BUILD"] = "1"
    files = make(folder)
    print("| file | first page, s | first slice, ms | slices after it, ms |")
    print("|---|---|---|---|")
    for label, path in zip(("1.6 GB contiguous", "chunks of 500 x 500, shuffle and deflate"), files):
        run(command, path)
        times = [run(command, path) for _ in range(runs)]
        page, first, others = (statistics.median(column) for column in zip(*times))
        print("| %s | %.2f | %.0f | %.0f |" % (label, page, first * 1000, others * 1000), flush=True)
    for path in files:
        path.unlink()


main()
