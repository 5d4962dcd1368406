"""Judges what the examples left in a folder: judge.py FOLDER"""
import sys

import h5py
import numpy as np

folder = sys.argv[1] + "/"
judged = 0


def opened(name):
    global judged
    judged += 1
    return h5py.File(folder + name, "r")


with opened("checkpoint.h5") as f:
    assert list(f) == ["latest"], list(f)
    assert f["latest"].attrs["step"] == 20
    assert f["latest/temperature"].shape == (64, 64)
    assert f["latest/temperature"].attrs["units"] == "K"
with opened("slices.h5") as f:
    image = f["image"][:]
    expected = np.zeros((100, 200), int)
    expected[20:30] = 7
    expected[::10, 0] = range(10)
    expected[50, 100:120] = 1
    expected[45:56, 110] = 1
    assert (image == expected).all()
with opened("records.h5") as f:
    events = f["events"][:]
    assert len(events) == 1000 and events["id"].sum() == 499500
    assert events["energy"][4] == 1.0
    assert list(events["position"][2]) == [2.0, 1.0, -2.0]
    assert h5py.check_enum_dtype(f["events"].dtype["detector"]) == {"FRONT": 0, "BACK": 1}
    assert events["note"][0] == b"first" and events["note"][7] == b"lucky"
with opened("compressed.h5") as f:
    counts = f["counts"]
    assert counts.chunks == (100, 100) and counts.shuffle and counts.fletcher32
    assert counts.compression == "gzip" and counts.compression_opts == 6
    with h5py.File(folder + "plain.h5", "r") as plain:
        assert (counts[:] == plain["counts"][:]).all()
with opened("scales.h5") as f:
    pressure = f["pressure"]
    assert list(pressure.dims[0][0][:]) == [-45, 0, 45]
    assert pressure.dims[1].keys() == ["longitude"]
    assert h5py.h5ds.is_scale(f["lat"].id) and f.attrs["Conventions"] == "CF-1.10"
with opened("log.h5") as f:
    samples = f["samples"]
    assert samples.shape == (1000, 2) and samples.maxshape == (None, 2)
    assert (samples[:, 0] == np.arange(1000)).all()
    assert np.allclose(samples[:, 1], np.sin(np.arange(1000) / 10))
with opened("async.h5") as f:
    field = f["field"][:]
    assert np.allclose(field, np.arange(50)[:, None] + np.sqrt(np.arange(10000)))
with opened("strange.h5") as f:
    assert f["run/samples"][1]["name"] == b"salt" and f["answer"][()] == 42
    assert isinstance(f["celsius"], h5py.Datatype)
with opened("converted.h5") as f:
    readings = f["raw/readings"]
    i, j = np.arange(2000)[:, None] // 10, np.arange(500) // 10
    assert (readings[:] == i * j).all() and readings.compression == "gzip"
    assert readings.attrs["units"] == "mV" and f.attrs["title"] == "readings of one day"
    assert list(f["raw/channels"].asstr()[:]) == ["left", "right"]
with opened("ranks.h5") as f:
    assert (f["field"][:] == np.repeat(np.arange(4), 16)[:, None]).all()
    assert f["field"].attrs["ranks"] == 4
with opened("staged/run.h5") as f:
    assert (f["field"][:, 0] == np.arange(100)).all() and not f["field"][:, 1:].any()
print("judged", judged)
